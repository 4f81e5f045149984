-- Changes of verdicts: of the word or of the set of markets, between the start and the end of a change of facts.

create function verdict_markets(elements json) returns text[] language sql immutable as $$
  select coalesce(array_agg(distinct element ->> 'geo' collate "C" order by element ->> 'geo' collate "C"), '{}')
    from json_array_elements(elements) as element
$$;
comment on function verdict_markets is 'The sorted markets of licensed_by or blocked_by.';

create table verdict_changes (
  number bigint primary key,
  change_ref text not null unique,
  domain_id bigint not null references domains (id),
  verdict_before text not null,
  licensed_by_before json not null,
  blocked_by_before json not null,
  verdict_after text not null,
  licensed_by_after json not null,
  blocked_by_after json not null,
  markets text[] not null,
  cause text not null check (cause in ('coverage', 'register', 'import', 'staff')),
  is_correction boolean not null default false,
  correction_of text,
  is_free boolean not null generated always as (is_correction or cause = 'coverage') stored,
  signal_refs text[] not null default '{}',
  occurred_at timestamptz not null,
  detected_at timestamptz not null,
  event bigint not null default current_event()
);
create index verdict_changes_of_domain on verdict_changes (domain_id, number);
create index verdict_changes_of_event on verdict_changes (event);
create index verdict_changes_by_verdict_after on verdict_changes (verdict_after, number);
create index verdict_changes_by_verdict_before on verdict_changes (verdict_before, number);
create index verdict_changes_by_market on verdict_changes using gin (markets);
create index verdict_changes_by_day on verdict_changes (occurred_at, number);
comment on table verdict_changes is
  'Numbered from 1 without gaps in the order of commits, under the lock of facts. Never deleted: a cursor is a number and stays valid.';
comment on column verdict_changes.licensed_by_before is '§2.7 as it was sent, without what regimes add.';
comment on column verdict_changes.markets is 'All markets of both sides.';
comment on column verdict_changes.cause is
  'coverage: a first snapshot, a backfill, a first import, or a first snapshot after a gap: no news.';
comment on column verdict_changes.is_correction is
  'The service had read a wrong file, or read it wrongly.';
comment on column verdict_changes.correction_of is
  'The change that a discard takes back; null: none.';
comment on column verdict_changes.signal_refs is 'The Signals of the same snapshot that name the domain.';
comment on column verdict_changes.event is 'The event of the history (dataset_events) that changed the facts.';

alter table dataset_events drop constraint dataset_events_kind_check;
alter table dataset_events add constraint dataset_events_kind_check
  check (kind in ('snapshot', 'confirmation', 'import', 'review', 'merge', 'split', 'distinct', 'discard', 'check',
                  'brand', 'person', 'scopes', 'lapse'));
