-- Pairs of Companies that may be one party. What staff say of them is an event.
drop index company_identities_by_stem;
create index company_identities_by_beginning on company_identities (left(split_part(name_key, ' ', 1), 12))
 where name_key is not null;

create table company_candidates (
  company_id bigint not null references companies (id),
  other_company_id bigint not null references companies (id),
  score integer not null,
  speaks_for text[] not null,
  speaks_against text[] not null,
  found_at timestamptz not null,
  primary key (company_id, other_company_id),
  check (company_id < other_company_id)
);
create index company_candidates_by_score on company_candidates (score desc, company_id, other_company_id);
create index company_candidates_of_other on company_candidates (other_company_id);
comment on table company_candidates is 'Pairs of Companies that may be one party. Pairs that were merged or called distinct since are left out by readers.';

alter table dataset_events drop constraint dataset_events_kind_check;
alter table dataset_events add constraint dataset_events_kind_check
  check (kind in ('snapshot', 'confirmation', 'import', 'review', 'merge', 'split', 'distinct', 'discard', 'check',
                  'brand', 'person'));
