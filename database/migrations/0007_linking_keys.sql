-- Names are compared by another key. The start computes it for stored names (features/companies/fill-name-keys-store.ts).
update company_identities set name_key = null where name_key is not null;
drop index company_identities_by_name;
create index company_identities_by_name on company_identities (name_key) where name_key is not null;
create index company_identities_without_key on company_identities (stream, identity_key)
 where name_key is null and legal_entity is not null and (stream = 'import' or subject_kind <> 'unknown');
comment on column company_identities.name_key is 'The linking key of the legal name (packages/names/linking-key.ts): its letters, a blank and its legal form. null: no legal name, or that of a natural person.';
