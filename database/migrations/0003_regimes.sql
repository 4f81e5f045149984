-- Regimes: what gambling is allowed in a market, as staff enter and approve it (docs/regimes.md).
create table regimes (
  id bigint generated always as identity primary key,
  regime_ref text not null unique,
  market text collate "C" not null,
  vertical text not null check (vertical in ('all', 'betting', 'casino', 'poker', 'lottery')),
  state text not null check (state in ('open', 'licensed_only', 'monopoly', 'prohibited', 'suspended',
                                       'not_regulated', 'opens')),
  from_day date not null,
  to_day date,
  source_url text not null,
  note text check (char_length(note) <= 300),
  why text not null,
  entered_by text,
  entered_at timestamptz not null,
  ends_id bigint references regimes,
  approved_by text,
  approved_at timestamptz,
  known_from timestamptz,
  known_to timestamptz,
  shipped_key text,
  check (known_from is null or to_day is null or to_day >= from_day),
  check (known_to >= known_from)
);
comment on table regimes is
  'What gambling is allowed in a market, with its source. A row is closed, never overwritten or deleted.';
comment on column regimes.to_day is 'The last day in force; null: no end is known.';
comment on column regimes.entered_by is
  'The e-mail address of the person; baize: shipped with the program; null: a command.';
comment on column regimes.ends_id is
  'The row that the approval of this one closes. If to_day is before from_day, that row never applied.';
comment on column regimes.approved_by is
  'The e-mail address of the person; baize: shipped with the program; null: a command, or nobody yet.';
comment on column regimes.known_from is
  'When it was published; null: proposed or withdrawn, or it states that another row never applied.';
comment on column regimes.known_to is 'When it was closed or withdrawn; null: it is known now, or proposed.';
comment on column regimes.shipped_key is 'Names the fact in the data of the program; null: entered by staff.';
create index regimes_ends on regimes (ends_id) where ends_id is not null;
