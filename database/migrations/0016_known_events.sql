-- What was known when (docs/data-model.md). An event has the time of its commit, and a row of facts the numbers of the
-- events between which it was known. A version that is overwritten or deleted is kept in a table of former versions.

alter table dataset_events add column committed_at timestamptz;
comment on column dataset_events.committed_at is
  'When its transaction was committed, to the millisecond: from then on answers have its facts. Never before an earlier event''s.';
update dataset_events event
   set committed_at = dated.committed_at
  from (select number, date_trunc('milliseconds', max(at) over (order by number)) as committed_at from dataset_events) dated
 where dated.number = event.number;
create index dataset_events_by_commit on dataset_events (committed_at desc, number desc);

alter table dataset_events drop constraint dataset_events_kind_check;
alter table dataset_events add constraint dataset_events_kind_check
  check (kind in ('snapshot', 'confirmation', 'import', 'review', 'merge', 'split', 'distinct', 'discard', 'check',
                  'brand', 'person', 'scopes'));

create function date_event() returns trigger language plpgsql as $$
begin
  update dataset_events
     set committed_at = greatest(
           date_trunc('milliseconds', clock_timestamp()),
           (select max(committed_at) from dataset_events where number < new.number)
         )
   where number = new.number;
  return null;
end $$;
comment on function date_event is 'Dates an event as the last step of its transaction, which has the lock of facts until the commit.';
create constraint trigger date_event after insert on dataset_events
  deferrable initially deferred for each row when (new.committed_at is null) execute function date_event();

create function current_event() returns bigint language sql stable as $$
  select coalesce(nullif(current_setting('baize.event', true), '')::bigint, 0)
$$;
comment on function current_event is
  'The number of the event that this transaction will record, set with the lock of facts; 0 without the lock.';

create function event_at(known_at timestamptz) returns bigint language sql stable as $$
  select number from dataset_events where committed_at <= known_at order by committed_at desc, number desc limit 1
$$;
comment on function event_at is 'The last event that was committed at a time; null: none.';

create function keep_version() returns trigger language plpgsql as $$
declare
  event bigint := current_event();
begin
  if tg_op = 'UPDATE' and old.known_to is null and new.known_to is not null then
    new.to_event := event;
    return new;
  end if;
  if old.from_event < event then
    execute format('insert into former_%s select ($1).*, $2', tg_table_name) using old, event;
  end if;
  if tg_op = 'DELETE' then
    return old;
  end if;
  new.from_event := greatest(old.from_event, event);
  if new.known_to is null then
    new.to_event := null;
  end if;
  return new;
end $$;
comment on function keep_version is
  'Numbers a row that is closed. Keeps the version of a row that is overwritten, reopened or deleted; not without the lock of facts.';

do $$
declare
  facts text;
begin
  foreach facts in array array[
    'authorisations', 'blocklist_entries', 'license_states', 'licensee_states', 'domain_companies'
  ]
  loop
    execute format('alter table %I add column from_event bigint not null default current_event()', facts);
    execute format('alter table %I add column to_event bigint', facts);
    execute format('comment on column %I.from_event is %L', facts,
                   'The event that wrote this version; 0: known before all events.');
    execute format('comment on column %I.to_event is %L', facts, 'The event that closed it; null: it is open.');
    execute format('alter table %I disable trigger user', facts);
    execute format(
      'update %I set from_event = coalesce((
                select number from dataset_events where at <= known_from order by at desc, number desc limit 1
              ), 0),
              to_event = case when known_to is not null then coalesce((
                select number from dataset_events where at <= known_to order by at desc, number desc limit 1
              ), 0) end', facts);
    execute format('alter table %I enable trigger user', facts);
    execute format('create table former_%s (like %I)', facts, facts);
    execute format('alter table former_%s add column until_event bigint not null', facts);
    execute format('comment on column former_%s.until_event is %L', facts, 'The event that overwrote or deleted it.');
    execute format('create trigger keep_deleted before delete on %I for each row execute function keep_version()', facts);
  end loop;
end $$;

comment on table former_authorisations is 'Versions of authorisations that were overwritten, reopened or deleted, for answers about what was known. So are the other tables named former_.';
comment on table former_blocklist_entries is 'Former versions of blocklist_entries.';
comment on table former_license_states is 'Former versions of license_states.';
comment on table former_licensee_states is 'Former versions of licensee_states.';
comment on table former_domain_companies is 'Former versions of domain_companies.';
create index former_authorisations_of_domain on former_authorisations (domain_id);
create index former_authorisations_of_license on former_authorisations (license_id);
create index former_blocklist_entries_of_domain on former_blocklist_entries (domain_id);
create index former_blocklist_entries_on_shared_hosts on former_blocklist_entries (lower(listed_as)) where scope = 'shared_host';
create index former_license_states_of_license on former_license_states (license_id);
create index former_license_states_by_number_key on former_license_states (license_number_key(license_number));

-- Columns that no verdict depends on (Companies, last-seen times) may change without a version.
create trigger keep_updated before update on authorisations for each row
  when ((old.known_to, old.record_key, old.domain_id, old.market, old.license_id, old.published, old.status, old.counts,
         old.first_seen_at)
        is distinct from
        (new.known_to, new.record_key, new.domain_id, new.market, new.license_id, new.published, new.status, new.counts,
         new.first_seen_at))
  execute function keep_version();
create trigger keep_updated before update on blocklist_entries for each row
  when ((old.known_to, old.record_key, old.regulator, old.scope, old.published, old.listed_as, old.domain_id, old.listed,
         old.first_seen_at, old.listed_at, old.delisted_at, old.missing_at)
        is distinct from
        (new.known_to, new.record_key, new.regulator, new.scope, new.published, new.listed_as, new.domain_id, new.listed,
         new.first_seen_at, new.listed_at, new.delisted_at, new.missing_at))
  execute function keep_version();
create trigger keep_updated before update on license_states for each row
  when ((old.known_to, old.license_id, old.license_number, old.status, old.license_type, old.role, old.licensee_key,
         old.issued_at, old.expires_at, old.source_url)
        is distinct from
        (new.known_to, new.license_id, new.license_number, new.status, new.license_type, new.role, new.licensee_key,
         new.issued_at, new.expires_at, new.source_url))
  execute function keep_version();
create trigger keep_updated before update on licensee_states for each row
  when ((old.known_to, old.record_key, old.legal_name, old.trading_names, old.country, old.registration_number,
         old.first_seen_at)
        is distinct from
        (new.known_to, new.record_key, new.legal_name, new.trading_names, new.country, new.registration_number,
         new.first_seen_at))
  execute function keep_version();
create trigger keep_updated before update on domain_companies for each row
  when ((old.known_to, old.domain_id, old.company_id, old.relation, old.brand)
        is distinct from (new.known_to, new.domain_id, new.company_id, new.relation, new.brand))
  execute function keep_version();
