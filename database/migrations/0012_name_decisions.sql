-- What staff decided of names of licensees that may be those of natural persons (docs/people.md).
create table name_decisions (
  digest bytea primary key,
  is_person boolean not null,
  name text,
  why text not null,
  decided_by text,
  decided_at timestamptz not null,
  check (name is null or not is_person)
);
comment on table name_decisions is 'Decisions about names of licensees, for all registers and for ever.';
comment on column name_decisions.digest is
  'A keyed hash of the folded name (signing_secrets, suppression): a person''s name is not stored.';
comment on column name_decisions.name is 'The name of a firm; null: of a natural person.';
comment on column name_decisions.decided_by is 'The e-mail address of the person of staff; null: a command.';

alter table dataset_events drop constraint dataset_events_kind_check;
alter table dataset_events add constraint dataset_events_kind_check
  check (kind in ('snapshot', 'confirmation', 'import', 'review', 'merge', 'split', 'discard', 'check',
                  'brand', 'person'));

-- The key of an identity changes when the name in it is replaced.
alter table company_links drop constraint company_links_stream_identity_key_fkey;
alter table company_links add foreign key (stream, identity_key)
  references company_identities (stream, identity_key) on update cascade on delete cascade;
