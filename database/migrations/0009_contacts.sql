-- People: decision-makers of Companies, and who of them is not to be held (§4.7, contract section 8).

create table contacts (
  id bigint generated always as identity primary key,
  contact_ref text not null unique,
  company_id bigint not null references companies,
  company_key text,
  name text not null,
  name_key text collate "C" not null,
  title text,
  headline text,
  email text,
  linkedin_url text,
  profile_key text collate "C",
  country text,
  source text not null,
  source_url text,
  collected_at timestamptz not null,
  last_verified_at timestamptz
);
comment on table contacts is
  'People of Companies, as they were last told. Personal data: it is kept here and in answers of the last 7 days, in no
history and no raw file, and is deleted by a suppression.';
comment on column contacts.company_id is 'Who answers for the Company: merges and splits carry it along.';
comment on column contacts.company_key is
  'The key under which an interchange file named the Company; null: its source named the Company itself.';
comment on column contacts.name_key is 'The words of the name, folded and in one order: what tells people without a profile apart.';
comment on column contacts.title is 'The job title; null: none is known, and the headline is read instead.';
comment on column contacts.headline is 'What people say of themselves on their profile; null: not known.';
comment on column contacts.email is 'null: none is known. People without it and without a profile are not delivered.';
comment on column contacts.linkedin_url is 'The professional profile; null: none is known.';
comment on column contacts.profile_key is 'The profile in one spelling; null exactly where linkedin_url is.';
comment on column contacts.source is 'Where the data of the person come from.';
comment on column contacts.last_verified_at is 'null: not verified since it was collected.';
create unique index contacts_by_profile on contacts (company_key, profile_key) where profile_key is not null;
create unique index contacts_by_name on contacts (company_key, name_key) where profile_key is null;
create index contacts_of_company on contacts (company_id);
-- What roles are read from (§2.17, coverage) is counted in the order of this index, some thousand titles at a time.
create index contacts_by_words on contacts ((title is null), (coalesce(title, headline)) collate "C")
  where (email is not null or linkedin_url is not null) and coalesce(title, headline) is not null;

create table suppression_decisions (
  id bigint generated always as identity primary key,
  reason text not null,
  decided_at timestamptz not null,
  contacts int not null,
  stored_answers int not null,
  listed_contacts int not null
);
comment on table suppression_decisions is 'Which suppressions were decided, why, and what they removed. It names nobody.';
comment on column suppression_decisions.stored_answers is 'Answers kept under an Idempotency-Key that named the person.';
comment on column suppression_decisions.listed_contacts is 'Contacts removed from stored prospect lists.';

create table suppressions (
  id bigint generated always as identity primary key,
  decision_id bigint not null references suppression_decisions,
  handle text not null check (handle in ('email', 'profile', 'name')),
  company_id bigint references companies,
  digest bytea not null,
  unique nulls not distinct (digest, handle, company_id),
  check ((handle = 'name') = (company_id is not null))
);
comment on table suppressions is
  'Who is not to be held or delivered: keyed hashes, from which nobody can be read (docs/people.md).';
comment on column suppressions.company_id is
  'A name is suppressed at one Company, and at whatever it is merged into or split off to; null: an address or profile, anywhere.';
comment on column suppressions.digest is 'HMAC-SHA-256 of the normalised handle, keyed by the signing secret `suppression`.';
create index suppressions_of_company on suppressions (company_id) where company_id is not null;

-- A suppression rewrites the stored answers that name a person: this finds them among all others.
create index idempotency_records_of_people on idempotency_records (created_at, settlement_id)
  where starts_with(body, '{"success":true') and left(body, 200) like '%"contacts":%';
