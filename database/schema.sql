-- The schema that the migrations create, for reading. Written by `npm run generate` from
-- the catalogue of a database, in the order of names; a test compares it. The schema `demo` is the same.
-- Without partitions, which depend on the date, and the queries of views, which releases print differently.

-- extension pg_trgm in extensions
-- extension unaccent in extensions

-- The items of a batch, in order.
create type settle_items as (
  account integer[],
  kind text[],
  settlement_id uuid[],
  credits bigint[],
  credits_min bigint[],
  reservation_id uuid[],
  lease_until timestamp with time zone[],
  note text[],
  request_id text[],
  idempotency_key text[],
  fingerprint bytea[],
  status integer[],
  body text[]
);

-- The ledger lines of charges.
create type settle_lines as (
  item integer[],
  price_key text[],
  units bigint[],
  credits bigint[]
);

create type settle_outcome as (
  item integer,
  outcome text,
  moved bigint,
  granted bigint,
  used bigint,
  reserved bigint,
  stored_status integer,
  stored_body text
);

-- The MCP sessions of items, and what each session may have spent after its item.
create type settle_sessions as (
  item integer[],
  session_id text[],
  credits_max bigint[]
);

-- The usage records of requests.
create type settle_usages as (
  item integer[],
  requested_at timestamp with time zone[],
  endpoint text[],
  duration_ms integer[],
  request_params text[],
  source text[],
  client json[],
  key_id bigint[]
);

-- Rows that exist only if their item is charged, and the jobs that they queue.
create type settle_writes as (
  item integer[],
  writer text[],
  data jsonb[],
  job jsonb[]
);

create sequence search_facet_changes as bigint;

-- The current figures of an account. Half-empty pages, so that updates are HOT.
create table account_balances (
  account_id bigint not null,
  -- null: no quota is enforced (plan internal).
  granted bigint,
  used bigint not null default 0,
  reserved bigint not null default 0,
  constraint account_balances_pkey PRIMARY KEY (account_id),
  constraint account_balances_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint account_balances_granted_check CHECK ((granted >= 0)),
  constraint account_balances_reserved_check CHECK ((reserved >= 0)),
  constraint account_balances_used_check CHECK ((used >= 0)),
  constraint never_overdrawn CHECK (((granted IS NULL) OR ((used + reserved) <= granted)))
) with (fillfactor=50);

create table accounts (
  id bigint not null generated always as identity,
  account_ref text not null,
  -- The key of an interchange file; null for accounts made by staff.
  import_key text,
  name text not null,
  plan text not null,
  created_at timestamp with time zone not null default now(),
  constraint accounts_pkey PRIMARY KEY (id),
  constraint accounts_account_ref_key UNIQUE (account_ref),
  constraint accounts_import_key_key UNIQUE (import_key),
  constraint accounts_plan_check CHECK ((plan = ANY (ARRAY['free'::text, 'starter'::text, 'growth'::text, 'internal'::text])))
);

create table api_keys (
  id bigint not null generated always as identity,
  key_ref text not null,
  account_id bigint not null,
  key_sha256 bytea not null,
  last_four text not null,
  name text,
  creation_nonce text,
  created_at timestamp with time zone not null default now(),
  -- null: never.
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  -- When a key was created to take its place; null: it was not.
  replaced_at timestamp with time zone,
  -- To the minute; null: never used.
  last_used_at timestamp with time zone,
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_account_id_creation_nonce_key UNIQUE (account_id, creation_nonce),
  constraint api_keys_key_ref_key UNIQUE (key_ref),
  constraint api_keys_key_sha256_key UNIQUE (key_sha256),
  constraint api_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
CREATE INDEX api_keys_of_account ON api_keys USING btree (account_id);

-- What people changed in the dashboard, and staff by command. Never updated.
create table audit_events (
  id bigint not null generated always as identity,
  happened_at timestamp with time zone not null,
  user_id bigint,
  -- Of the user at that time; null: a command.
  email text,
  account_id bigint,
  action text not null,
  subject text,
  details jsonb not null default '{}'::jsonb,
  constraint audit_events_pkey PRIMARY KEY (id),
  constraint audit_events_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint audit_events_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX audit_events_by_account ON audit_events USING btree (account_id, id);

-- Authorised domains: listed for a license, an account, or by themselves.
create table authorisations (
  id bigint not null generated always as identity,
  stream text not null,
  record_key text not null,
  domain_id bigint not null,
  market text not null,
  -- null: the source names no license.
  license_id bigint,
  company_id bigint,
  -- The record key of the licensee; null: the register names none, or the row was imported.
  licensee_key text,
  published text not null,
  status text,
  -- Whether it licenses the domain, apart from the status of its license.
  counts boolean not null,
  first_seen_at timestamp with time zone not null,
  -- null: the stream's last confirmation applies.
  last_seen_at timestamp with time zone,
  known_from timestamp with time zone not null,
  known_to timestamp with time zone,
  -- The event that wrote this version; 0: known before all events.
  from_event bigint not null default current_event(),
  -- The event that closed it; null: it is open.
  to_event bigint,
  constraint authorisations_pkey PRIMARY KEY (id),
  constraint authorisations_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  constraint authorisations_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES domains(id),
  constraint authorisations_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id)
);
CREATE INDEX authorisations_of_company ON authorisations USING btree (company_id) WHERE (company_id IS NOT NULL);
CREATE INDEX authorisations_of_domain ON authorisations USING btree (domain_id);
CREATE INDEX authorisations_of_license ON authorisations USING btree (license_id) WHERE (license_id IS NOT NULL);
CREATE INDEX authorisations_of_licensee ON authorisations USING btree (stream, licensee_key) WHERE ((known_to IS NULL) AND (licensee_key IS NOT NULL));
CREATE UNIQUE INDEX authorisations_open ON authorisations USING btree (stream, record_key) WHERE (known_to IS NULL);
CREATE TRIGGER keep_deleted BEFORE DELETE ON authorisations FOR EACH ROW EXECUTE FUNCTION keep_version();
CREATE TRIGGER keep_updated BEFORE UPDATE ON authorisations FOR EACH ROW WHEN ((((((((((old.known_to IS DISTINCT FROM new.known_to) OR (old.record_key IS DISTINCT FROM new.record_key)) OR (old.domain_id IS DISTINCT FROM new.domain_id)) OR (old.market IS DISTINCT FROM new.market)) OR (old.license_id IS DISTINCT FROM new.license_id)) OR (old.published IS DISTINCT FROM new.published)) OR (old.status IS DISTINCT FROM new.status)) OR (old.counts IS DISTINCT FROM new.counts)) OR (old.first_seen_at IS DISTINCT FROM new.first_seen_at))) EXECUTE FUNCTION keep_version();
CREATE TRIGGER search_of_changed_authorisations AFTER UPDATE ON authorisations REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stale_authorisations();
CREATE TRIGGER search_of_new_authorisations AFTER INSERT ON authorisations REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stale_authorisations();

create table blocklist_entries (
  id bigint not null generated always as identity,
  stream text not null,
  record_key text not null,
  regulator text not null,
  -- Only the scope domain affects a verdict; the others are evidence.
  scope text not null,
  -- Version of the rules that judged the scope.
  scope_rules integer not null,
  published text not null,
  -- Canonical host and path; null for apps and payment accounts.
  listed_as text collate "C",
  -- null for apps, payment accounts and pages on shared hosts.
  domain_id bigint,
  -- false: no longer listed.
  listed boolean not null,
  first_seen_at timestamp with time zone not null,
  -- null: the stream's last confirmation applies; set when the entry is no longer listed.
  last_seen_at timestamp with time zone,
  -- The date in the register; null: it gives none.
  listed_at timestamp with time zone,
  delisted_at timestamp with time zone,
  -- The first snapshot without it; null: it is listed, its deletion is dated, or no snapshot listed it.
  missing_at timestamp with time zone,
  -- A misprint of one snapshot that the next one corrected: no fact follows from it.
  withdrawn boolean not null default false,
  known_from timestamp with time zone not null,
  known_to timestamp with time zone,
  -- The event that wrote this version; 0: known before all events.
  from_event bigint not null default current_event(),
  -- The event that closed it; null: it is open.
  to_event bigint,
  constraint blocklist_entries_pkey PRIMARY KEY (id),
  constraint blocklist_entries_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES domains(id),
  constraint blocklist_entries_scope_check CHECK ((scope = ANY (ARRAY['domain'::text, 'host'::text, 'path'::text, 'shared_host'::text, 'app'::text, 'payment_account'::text])))
);
CREATE INDEX blocklist_entries_by_scope_rules ON blocklist_entries USING btree (scope_rules);
CREATE INDEX blocklist_entries_dropped ON blocklist_entries USING btree (last_seen_at, regulator) WHERE ((known_to IS NULL) AND (scope = 'domain'::text) AND (NOT listed));
CREATE INDEX blocklist_entries_mentions ON blocklist_entries USING btree (domain_id) WHERE ((known_to IS NULL) AND listed AND (scope = ANY (ARRAY['host'::text, 'path'::text])));
CREATE INDEX blocklist_entries_newly_listed ON blocklist_entries USING btree (first_seen_at, regulator) WHERE ((known_to IS NULL) AND (scope = 'domain'::text));
CREATE INDEX blocklist_entries_of_domain ON blocklist_entries USING btree (domain_id) WHERE (domain_id IS NOT NULL);
CREATE INDEX blocklist_entries_on_shared_hosts ON blocklist_entries USING btree (lower(listed_as)) WHERE ((known_to IS NULL) AND listed AND (scope = 'shared_host'::text));
CREATE INDEX blocklist_entries_on_shared_hosts_ever ON blocklist_entries USING btree (lower(listed_as)) WHERE (scope = 'shared_host'::text);
CREATE UNIQUE INDEX blocklist_entries_open ON blocklist_entries USING btree (stream, record_key) WHERE (known_to IS NULL);
CREATE TRIGGER keep_deleted BEFORE DELETE ON blocklist_entries FOR EACH ROW EXECUTE FUNCTION keep_version();
CREATE TRIGGER keep_updated BEFORE UPDATE ON blocklist_entries FOR EACH ROW WHEN (((((((((((((old.known_to IS DISTINCT FROM new.known_to) OR (old.record_key IS DISTINCT FROM new.record_key)) OR (old.regulator IS DISTINCT FROM new.regulator)) OR (old.scope IS DISTINCT FROM new.scope)) OR (old.published IS DISTINCT FROM new.published)) OR (old.listed_as IS DISTINCT FROM new.listed_as)) OR (old.domain_id IS DISTINCT FROM new.domain_id)) OR (old.listed IS DISTINCT FROM new.listed)) OR (old.first_seen_at IS DISTINCT FROM new.first_seen_at)) OR (old.listed_at IS DISTINCT FROM new.listed_at)) OR (old.delisted_at IS DISTINCT FROM new.delisted_at)) OR (old.missing_at IS DISTINCT FROM new.missing_at))) EXECUTE FUNCTION keep_version();

-- The newest stored answer of an account about each subject, bought in the dashboard. A free one replaces no paid one. Purged with the answer in idempotency_records, which has its text; in no dump.
create table bought_answers (
  account_id bigint not null,
  operation text collate "C" not null,
  -- A ref, a domain, or the SHA-256 of the filters of a search. After a space, which part was bought: a role, an extra, or the SHA-256 of a page.
  subject text collate "C" not null,
  -- Of the charge. The answer is shown only if idempotency_records still has that of this charge.
  settlement_id uuid not null,
  idempotency_key text not null,
  bought_at timestamp with time zone not null,
  constraint bought_answers_pkey PRIMARY KEY (account_id, operation, subject)
);
CREATE INDEX bought_answers_by_age ON bought_answers USING btree (bought_at);
CREATE INDEX bought_answers_of_account ON bought_answers USING btree (account_id, bought_at DESC);

-- The site of a brand that a register of the market names. A row is closed, never overwritten or deleted.
create table brand_domains (
  id bigint not null generated always as identity,
  brand_domain_ref text not null,
  market text collate "C" not null,
  -- As the register prints it: a legal or trading name of a licensee.
  brand text not null,
  -- The registrable domain, in lower-case ASCII.
  domain text not null,
  source_url text not null,
  -- The day on which the source stated it.
  source_day date not null,
  why text not null,
  -- The e-mail address of the person; baize: shipped with the program; null: a command.
  entered_by text,
  entered_at timestamp with time zone not null,
  -- The e-mail address of the person; null: a command, or nobody yet.
  approved_by text,
  approved_at timestamp with time zone,
  -- When it was approved; null: proposed or withdrawn.
  known_from timestamp with time zone,
  -- When it was removed or withdrawn; null: in use, or proposed.
  known_to timestamp with time zone,
  -- Names the row in the data of the program; null: entered by staff.
  shipped_key text,
  constraint brand_domains_pkey PRIMARY KEY (id),
  constraint brand_domains_brand_domain_ref_key UNIQUE (brand_domain_ref),
  constraint brand_domains_shipped_key_key UNIQUE (shipped_key),
  constraint brand_domains_check CHECK ((known_to >= known_from))
);
CREATE UNIQUE INDEX brand_domains_open ON brand_domains USING btree (market, brand, domain) WHERE (known_to IS NULL);

create table companies (
  id bigint not null generated always as identity,
  company_ref text not null,
  company_name text,
  -- null unless a source stated one (§2.2).
  legal_entity text,
  subject_kind text not null,
  role text[] not null default '{unknown}'::text[],
  country text,
  brands text[] not null default '{}'::text[],
  aliases text[] not null default '{}'::text[],
  apps jsonb not null default '[]'::jsonb,
  affiliate_program boolean not null default false,
  geo_hints text[] not null default '{}'::text[],
  evidence_routes text[] not null default '{}'::text[],
  -- null: not merged.
  merged_into bigint,
  first_seen_at timestamp with time zone not null default now(),
  last_updated_at timestamp with time zone not null default now(),
  -- Derived from company_groups: [{name, source_url, stated_at}].
  groups jsonb not null default '[]'::jsonb,
  constraint companies_pkey PRIMARY KEY (id),
  constraint companies_company_ref_key UNIQUE (company_ref),
  constraint companies_merged_into_fkey FOREIGN KEY (merged_into) REFERENCES companies(id),
  constraint a_role_or_unknown CHECK (((role = '{unknown}'::text[]) OR ((role <> '{}'::text[]) AND (NOT ('unknown'::text = ANY (role)))))),
  constraint companies_subject_kind_check CHECK ((subject_kind = ANY (ARRAY['legal_entity'::text, 'trade_name'::text, 'platform'::text, 'domain'::text, 'unknown'::text])))
);
CREATE INDEX companies_by_names ON companies USING gin (fold_names(((ARRAY[company_name, legal_entity] || brands) || aliases))) WITH (fastupdate=off) WHERE (merged_into IS NULL);
CREATE INDEX companies_merged ON companies USING btree (merged_into) WHERE (merged_into IS NOT NULL);
CREATE TRIGGER logo_companies_changed AFTER UPDATE ON companies REFERENCING OLD TABLE AS gone NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION note_logo_companies_changed();
CREATE TRIGGER logo_companies_made AFTER INSERT ON companies REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION note_logo_companies_made();
CREATE TRIGGER search_of_changed_companies AFTER UPDATE ON companies REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stale_companies();
CREATE TRIGGER search_of_new_companies AFTER INSERT ON companies REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stale_companies();

-- Pairs of Companies that may be one party. Pairs that were merged or called distinct since are left out by readers.
create table company_candidates (
  company_id bigint not null,
  other_company_id bigint not null,
  score integer not null,
  speaks_for text[] not null,
  speaks_against text[] not null,
  found_at timestamp with time zone not null,
  constraint company_candidates_pkey PRIMARY KEY (company_id, other_company_id),
  constraint company_candidates_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  constraint company_candidates_other_company_id_fkey FOREIGN KEY (other_company_id) REFERENCES companies(id),
  constraint company_candidates_check CHECK ((company_id < other_company_id))
);
CREATE INDEX company_candidates_by_score ON company_candidates USING btree (score DESC, company_id, other_company_id);
CREATE INDEX company_candidates_of_other ON company_candidates USING btree (other_company_id);

-- merge: company_id was merged into other_company_id. split: the identities moved from company_id to other_company_id.
create table company_decisions (
  id bigint not null generated always as identity,
  kind text not null,
  company_id bigint not null,
  other_company_id bigint not null,
  -- [[stream, identity_key]]: the identities that moved.
  identities jsonb not null,
  reason text not null,
  decided_at timestamp with time zone not null,
  constraint company_decisions_pkey PRIMARY KEY (id),
  constraint company_decisions_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  constraint company_decisions_other_company_id_fkey FOREIGN KEY (other_company_id) REFERENCES companies(id),
  constraint company_decisions_kind_check CHECK ((kind = ANY (ARRAY['merge'::text, 'split'::text])))
);

-- Pairs that staff split or called different parties. They are never linked.
create table company_distinctions (
  company_id bigint not null,
  other_company_id bigint not null,
  reason text not null,
  decided_at timestamp with time zone not null,
  constraint company_distinctions_pkey PRIMARY KEY (company_id, other_company_id),
  constraint company_distinctions_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  constraint company_distinctions_other_company_id_fkey FOREIGN KEY (other_company_id) REFERENCES companies(id),
  constraint company_distinctions_check CHECK ((company_id < other_company_id))
);
CREATE INDEX company_distinctions_of_other ON company_distinctions USING btree (other_company_id);

-- Members of groups. A row is closed, never overwritten or deleted.
create table company_groups (
  id bigint not null generated always as identity,
  -- The Company of which it was stated. After a merge, merged_into leads to the Company that shows it.
  company_id bigint not null,
  name text not null,
  -- The name without case and accents.
  name_key text not null,
  source_url text not null,
  why text not null,
  -- The e-mail address of the person; null: a command.
  stated_by text,
  stated_at timestamp with time zone not null,
  -- When staff ended or corrected it; null: it applies.
  ended_at timestamp with time zone,
  end_reason text,
  constraint company_groups_pkey PRIMARY KEY (id),
  constraint company_groups_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  constraint company_groups_check CHECK ((ended_at >= stated_at))
);
CREATE INDEX company_groups_of_company ON company_groups USING btree (company_id);
CREATE UNIQUE INDEX company_groups_open ON company_groups USING btree (name_key, company_id) WHERE (ended_at IS NULL);

-- How a source identifies a Company (account number, key of an interchange file), and its latest data. Columns of companies are derived from it (features/companies/derive-companies-store.ts).
create table company_identities (
  stream text not null,
  identity_key text not null,
  company_id bigint not null,
  known_from timestamp with time zone not null default now(),
  -- The identity of a Company with the lowest value leads, then the oldest. Identities added by a merge come last.
  seniority integer not null default 0,
  first_seen_at timestamp with time zone not null default now(),
  company_name text,
  legal_entity text,
  subject_kind text not null default 'unknown'::text,
  role text[] not null default '{unknown}'::text[],
  country text,
  brands text[] not null default '{}'::text[],
  aliases text[] not null default '{}'::text[],
  apps jsonb not null default '[]'::jsonb,
  affiliate_program boolean not null default false,
  geo_hints text[] not null default '{}'::text[],
  evidence_routes text[] not null default '{}'::text[],
  -- The linking key of the legal name (packages/names/linking-key.ts): its letters, a blank and its legal form. null: no legal name, or that of a natural person.
  name_key text,
  -- <country or, if unknown, market>:<number without blanks and signs>; null: none is published.
  registration text,
  -- When a snapshot added the role operator; null: none did.
  operator_since timestamp with time zone,
  -- Legal Entity Identifier, from an interchange file; null: none.
  lei text,
  constraint company_identities_pkey PRIMARY KEY (stream, identity_key),
  constraint company_identities_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  constraint a_role_or_unknown CHECK (((role = '{unknown}'::text[]) OR ((role <> '{}'::text[]) AND (NOT ('unknown'::text = ANY (role)))))),
  constraint company_identities_subject_kind_check CHECK ((subject_kind = ANY (ARRAY['legal_entity'::text, 'trade_name'::text, 'platform'::text, 'domain'::text, 'unknown'::text])))
);
CREATE INDEX company_identities_by_beginning ON company_identities USING btree ("left"(split_part(name_key, ' '::text, 1), 12)) WHERE (name_key IS NOT NULL);
CREATE INDEX company_identities_by_legal_entity ON company_identities USING btree (fold_names(ARRAY[legal_entity])) WHERE (legal_entity IS NOT NULL);
CREATE INDEX company_identities_by_lei ON company_identities USING btree (lei) WHERE (lei IS NOT NULL);
CREATE INDEX company_identities_by_name ON company_identities USING btree (name_key) WHERE (name_key IS NOT NULL);
CREATE INDEX company_identities_by_registration ON company_identities USING btree (registration) WHERE (registration IS NOT NULL);
CREATE INDEX company_identities_of_company ON company_identities USING btree (company_id);
CREATE INDEX company_identities_without_key ON company_identities USING btree (stream, identity_key) WHERE ((name_key IS NULL) AND (legal_entity IS NOT NULL) AND ((stream = 'import'::text) OR (subject_kind <> 'unknown'::text)));

-- Why an identity was linked to its Company without a decision of staff (features/companies/linking/rules-store.ts).
create table company_links (
  id bigint not null generated always as identity,
  stream text not null,
  identity_key text not null,
  evidence text not null,
  -- What both identities share: a number, a country, a market or a domain.
  value text not null,
  -- This and with_key are the identity that the Company had.
  with_stream text not null,
  with_key text not null,
  linked_at timestamp with time zone not null,
  -- Since when no other identity of the Company shares it; null: the evidence is there.
  lost_at timestamp with time zone,
  constraint company_links_pkey PRIMARY KEY (id),
  constraint company_links_stream_identity_key_fkey FOREIGN KEY (stream, identity_key) REFERENCES company_identities(stream, identity_key) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX company_links_by_domain ON company_links USING btree (value) WHERE (evidence = 'name_and_domain'::text);
CREATE INDEX company_links_lost ON company_links USING btree (lost_at) WHERE (lost_at IS NOT NULL);
CREATE INDEX company_links_of_identity ON company_links USING btree (stream, identity_key);

-- Derived: search rows of unmerged Companies, with the hit to show (§2.6).
create table company_search (
  id bigint not null,
  ref text collate "C" not null,
  -- 1 - data_completeness in thousandths. The first key of the order of searches without text.
  missing integer not null,
  -- The folded name; empty: none.
  sort_name text collate "C" not null,
  -- Words of names and domains. Prefixes: = a whole name as spelt, ~ one without blanks and legal form, * each word of a legal form. Weights A to D are names, brands, aliases, domains.
  document tsvector not null,
  -- Ids of search_terms.
  terms integer[] not null,
  -- The terms that facets count.
  facets integer[] not null,
  -- The row as it is sent, apart from what depends on the query. json preserves its bytes.
  hit json not null,
  -- The searchable names as a JSON list: company name, legal entity, brands, aliases.
  names text not null,
  -- The domains whose words the document contains, as a JSON list.
  sites text not null,
  -- Number of the latest change of facets. Writers have a lock until they commit, so that the order of numbers is that of commits.
  facets_change bigint not null default nextval('search_facet_changes'::regclass),
  constraint company_search_pkey PRIMARY KEY (id),
  constraint company_search_id_fkey FOREIGN KEY (id) REFERENCES companies(id),
  constraint company_search_missing_check CHECK (((missing >= 0) AND (missing <= 1000)))
);
CREATE INDEX company_search_by_document ON company_search USING gin (document, terms);
CREATE INDEX company_search_by_facets_change ON company_search USING btree (facets_change);
CREATE INDEX company_search_in_order ON company_search USING btree (missing, sort_name, ref);
CREATE TRIGGER facets_of_changed_companies BEFORE UPDATE OF facets ON company_search FOR EACH ROW WHEN ((old.facets <> new.facets)) EXECUTE FUNCTION number_facet_change();
CREATE TRIGGER search_counts_of_no_companies AFTER TRUNCATE ON company_search FOR EACH STATEMENT EXECUTE FUNCTION forget_search_counts();

-- People of Companies. Personal data: stored here and in answers of the last 7 days, in no history and no raw file. Suppressions delete it.
create table contacts (
  id bigint not null generated always as identity,
  contact_ref text not null,
  -- The Company of the person. Merges and splits update it.
  company_id bigint not null,
  -- The Company's key in an interchange file; null: the source identified the Company itself.
  company_key text,
  name text not null,
  -- The folded words of the name, sorted: identifies people without a profile.
  name_key text collate "C" not null,
  -- The job title; null: unknown, and the headline is used.
  title text,
  -- The person's own headline on the profile; null: unknown.
  headline text,
  -- null: unknown. People without email and profile are not delivered.
  email text,
  -- The professional profile; null: unknown.
  linkedin_url text,
  -- The normalised profile; null exactly when linkedin_url is.
  profile_key text collate "C",
  country text,
  -- The source of the person's data.
  source text not null,
  source_url text,
  collected_at timestamp with time zone not null,
  -- null: not verified since collection.
  last_verified_at timestamp with time zone,
  -- When the source of contacts last answered with the person; null: a file, or a fetch before this column.
  fetched_at timestamp with time zone,
  constraint contacts_pkey PRIMARY KEY (id),
  constraint contacts_contact_ref_key UNIQUE (contact_ref),
  constraint contacts_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id)
);
CREATE UNIQUE INDEX contacts_by_name ON contacts USING btree (company_key, name_key) WHERE (profile_key IS NULL);
CREATE UNIQUE INDEX contacts_by_profile ON contacts USING btree (company_key, profile_key) WHERE (profile_key IS NOT NULL);
CREATE INDEX contacts_by_words ON contacts USING btree (((title IS NULL)), COALESCE(title, headline) COLLATE "C") WHERE (((email IS NOT NULL) OR (linkedin_url IS NOT NULL)) AND (COALESCE(title, headline) IS NOT NULL));
CREATE INDEX contacts_of_company ON contacts USING btree (company_id);
CREATE TRIGGER search_of_changed_contacts AFTER UPDATE ON contacts REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stale_contacts();
CREATE TRIGGER search_of_gone_contacts AFTER DELETE ON contacts REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stale_contacts();
CREATE TRIGGER search_of_new_contacts AFTER INSERT ON contacts REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stale_contacts();

-- Markets with a stream only: others were not covered.
create table coverage_days (
  day date not null,
  market text not null,
  state text not null,
  rows bigint not null,
  constraint coverage_days_pkey PRIMARY KEY (day, market)
);

-- Changes of facts, numbered under the lock of their writers: their order.
create table dataset_events (
  number bigint not null,
  kind text not null,
  -- The `now` of the change, from which its rows are known.
  at timestamp with time zone not null,
  snapshot_id bigint,
  detail jsonb not null default '{}'::jsonb,
  -- When its transaction was committed, to the millisecond: from then on answers have its facts. Never before an earlier event's.
  committed_at timestamp with time zone,
  constraint dataset_events_pkey PRIMARY KEY (number),
  constraint dataset_events_snapshot_id_fkey FOREIGN KEY (snapshot_id) REFERENCES register_snapshots(id),
  constraint dataset_events_kind_check CHECK ((kind = ANY (ARRAY['snapshot'::text, 'confirmation'::text, 'import'::text, 'review'::text, 'merge'::text, 'split'::text, 'distinct'::text, 'discard'::text, 'check'::text, 'brand'::text, 'person'::text, 'scopes'::text, 'lapse'::text])))
);
CREATE INDEX dataset_events_by_commit ON dataset_events USING btree (committed_at DESC, number DESC);
CREATE INDEX dataset_events_of_snapshot ON dataset_events USING btree (snapshot_id, kind) WHERE (snapshot_id IS NOT NULL);
CREATE INDEX dataset_events_of_snapshots ON dataset_events USING btree (((detail #>> '{stream,key}'::text[])), number) WHERE (kind = 'snapshot'::text);
CREATE INDEX dataset_events_of_stream ON dataset_events USING btree ((
CASE kind
    WHEN 'snapshot'::text THEN (detail #>> '{stream,key}'::text[])
    ELSE (detail ->> 'stream'::text)
END), number) WHERE (kind = ANY (ARRAY['snapshot'::text, 'confirmation'::text, 'discard'::text]));
CREATE CONSTRAINT TRIGGER date_event AFTER INSERT ON dataset_events DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.committed_at IS NULL)) EXECUTE FUNCTION date_event();

-- One row, incremented last by each transaction that changes searchable data. Counts cached for a version stay valid.
create table dataset_version (
  version bigint not null
);

-- Registers described by an operator in a file (docs/registers.md).
create table described_registers (
  stream text not null,
  description text not null,
  described_at timestamp with time zone not null default now(),
  constraint described_registers_pkey PRIMARY KEY (stream)
);

create table domain_companies (
  id bigint not null generated always as identity,
  domain_id bigint not null,
  company_id bigint not null,
  -- The Company's key in an interchange file; null: links of registers are derived from authorisations.
  company_key text,
  relation text not null,
  brand text,
  stream text not null,
  known_from timestamp with time zone not null,
  known_to timestamp with time zone,
  -- The event that wrote this version; 0: known before all events.
  from_event bigint not null default current_event(),
  -- The event that closed it; null: it is open.
  to_event bigint,
  constraint domain_companies_pkey PRIMARY KEY (id),
  constraint domain_companies_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  constraint domain_companies_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES domains(id),
  constraint domain_companies_relation_check CHECK ((relation = ANY (ARRAY['licensee'::text, 'brand_owner'::text])))
);
CREATE INDEX domain_companies_of_company ON domain_companies USING btree (company_id) WHERE (known_to IS NULL);
CREATE UNIQUE INDEX domain_companies_open ON domain_companies USING btree (domain_id, company_id, relation, stream) WHERE (known_to IS NULL);
CREATE TRIGGER keep_deleted BEFORE DELETE ON domain_companies FOR EACH ROW EXECUTE FUNCTION keep_version();
CREATE TRIGGER keep_updated BEFORE UPDATE ON domain_companies FOR EACH ROW WHEN ((((((old.known_to IS DISTINCT FROM new.known_to) OR (old.domain_id IS DISTINCT FROM new.domain_id)) OR (old.company_id IS DISTINCT FROM new.company_id)) OR (old.relation IS DISTINCT FROM new.relation)) OR (old.brand IS DISTINCT FROM new.brand))) EXECUTE FUNCTION keep_version();
CREATE TRIGGER logo_brands_linked AFTER INSERT ON domain_companies REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION note_logo_brands_linked();
CREATE TRIGGER logo_brands_relinked AFTER UPDATE ON domain_companies REFERENCING OLD TABLE AS gone NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION note_logo_brands_relinked();
CREATE TRIGGER search_of_changed_domain_companies AFTER UPDATE ON domain_companies REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stale_domain_companies();
CREATE TRIGGER search_of_new_domain_companies AFTER INSERT ON domain_companies REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stale_domain_companies();

-- Derived: number of domains by verdict (geo empty), and by verdict and regulator.
create table domain_counts (
  verdict text not null,
  geo text not null,
  domains bigint not null,
  constraint domain_counts_pkey PRIMARY KEY (verdict, geo)
);

-- Derived: one row per domain and regulator of its verdict, so that a page of a deep search is one index range (§4.13).
create table domain_listings (
  verdict text not null,
  geo text not null,
  first_seen_at timestamp with time zone not null,
  domain text collate "C" not null,
  domain_id bigint not null,
  -- The members domain, verdict, licensed_by and blocked_by as they are sent.
  members text not null,
  -- The platform of the domain's latest reading, reviewed or not.
  platform_id bigint,
  -- Start of the current uninterrupted listing by geo (by any regulator if empty). null: licensed domain.
  listed_since timestamp with time zone,
  constraint domain_listings_pkey PRIMARY KEY (verdict, geo, first_seen_at, domain),
  constraint domain_listings_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES domains(id) ON DELETE CASCADE
);
CREATE INDEX domain_listings_newly_listed ON domain_listings USING btree (verdict, geo, listed_since);
CREATE INDEX domain_listings_of_domain ON domain_listings USING btree (domain_id);

create table domains (
  id bigint not null generated always as identity,
  domain_ref text not null,
  -- Canonical registrable domain, ASCII lower case.
  domain text collate "C" not null,
  inferred_geo text,
  verdict text not null default 'no_record'::text,
  -- §2.7 as it is sent. json preserves the bytes; jsonb would not.
  licensed_by json not null default '[]'::json,
  blocked_by json not null default '[]'::json,
  -- Whether a blocklist names a deeper host or a path of it.
  mentioned boolean not null default false,
  -- The Company of the earliest-issued license that counts; null: unknown.
  licensee_company_id bigint,
  -- When a register first listed it (open and closed facts); null: never.
  first_seen_at timestamp with time zone,
  -- The platform of the latest reading, reviewed or not; null: no reading.
  platform_id bigint,
  -- Categories of the currently observed payment methods.
  payment_categories text[] not null default '{}'::text[],
  -- The latest observation of a section; null: none.
  last_observed_at timestamp with time zone,
  -- The latest reading of its platform; null: none.
  last_read_at timestamp with time zone,
  -- The latest completed check of the site; null: none.
  last_checked_at timestamp with time zone,
  constraint domains_pkey PRIMARY KEY (id),
  constraint domains_domain_key UNIQUE (domain),
  constraint domains_domain_ref_key UNIQUE (domain_ref),
  constraint domains_licensee_company_id_fkey FOREIGN KEY (licensee_company_id) REFERENCES companies(id),
  constraint domains_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id),
  constraint domains_verdict_check CHECK ((verdict = ANY (ARRAY['licensed'::text, 'blocklisted'::text, 'mixed'::text, 'no_record'::text])))
);
CREATE INDEX domains_by_payment_category ON domains USING gin (payment_categories) WHERE (payment_categories <> '{}'::text[]);
CREATE INDEX domains_by_platform ON domains USING btree (platform_id) WHERE (platform_id IS NOT NULL);
CREATE INDEX domains_of_licensee ON domains USING btree (licensee_company_id) WHERE (licensee_company_id IS NOT NULL);
CREATE TRIGGER search_of_changed_domains AFTER UPDATE ON domains REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stale_domains();

-- Requests of accounts that started, joined or reused a check.
create table enrichments (
  enrichment_ref text not null,
  account_id bigint not null,
  check_id bigint not null,
  -- Whether this request started the check, and its account pays.
  is_paid boolean not null,
  requested_at timestamp with time zone not null,
  constraint enrichments_pkey PRIMARY KEY (enrichment_ref),
  constraint enrichments_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint enrichments_check_id_fkey FOREIGN KEY (check_id) REFERENCES site_checks(id)
);
CREATE INDEX enrichments_of_account ON enrichments USING btree (account_id);
CREATE INDEX enrichments_of_check ON enrichments USING btree (check_id);

-- Requested exports and their state. Only completed ones are shown. Inserted in the transaction that settles the request; completed in the one that charges.
create table exports (
  -- Shown to customers (§2.16). Taken from the sequence before the row is inserted.
  id bigint not null generated by default as identity,
  account_id bigint not null,
  -- As of usage_records.
  key_id bigint,
  state text not null,
  format text not null,
  -- Canonical, without unknown keys.
  filters jsonb not null,
  -- Include sections of §2.9; empty for CSV.
  fields text[] not null,
  -- Maximum rows of the file, as requested; null: the row limit.
  max_rows integer,
  -- Rows that matched at the request, up to the row limit.
  quoted_rows integer not null,
  -- The maximum charge.
  quoted_credits bigint not null,
  -- Of the request that created it; its ledger entries have it too.
  request_id text,
  -- The client software that the request stated (§2.15); null: none.
  client json,
  requested_at timestamp with time zone not null,
  -- Since when it waits for credits that other exports of its account have reserved; null: not waiting.
  waiting_since timestamp with time zone,
  -- The current or last attempt: the id of its reservation, and part of the file name. An attempt that finds another id here has lost the export. null: none began.
  attempt_id uuid,
  -- Number of attempts.
  attempts integer not null default 0,
  started_at timestamp with time zone,
  completed_at timestamp with time zone,
  -- When the file is removed: 24 hours after completion.
  expires_at timestamp with time zone,
  -- In the file store; null: not written yet, or removed.
  file_name text,
  bytes bigint,
  sha256 bytea,
  total_rows integer,
  -- Rows that matched when the file was written, up to the row limit: the size with unlimited credits.
  expected_rows integer,
  -- row_limit, max_rows: more rows match than the file may contain. credits: the balance or the quote was used up. null: complete.
  truncated_by text,
  credits_used bigint,
  -- The charge; also set for a charge of 0 credits.
  settlement_id uuid,
  -- The reason for the operator; null: not failed.
  failure text,
  constraint exports_pkey PRIMARY KEY (id),
  constraint exports_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint completed_exports_are_whole CHECK (((state <> ALL (ARRAY['completed'::text, 'expired'::text])) OR ((completed_at IS NOT NULL) AND (expires_at IS NOT NULL) AND (bytes IS NOT NULL) AND (sha256 IS NOT NULL) AND (total_rows IS NOT NULL) AND (expected_rows IS NOT NULL) AND (credits_used IS NOT NULL) AND (settlement_id IS NOT NULL)))),
  constraint completed_exports_have_a_file CHECK (((state = 'completed'::text) = (file_name IS NOT NULL))),
  constraint exports_format_check CHECK ((format = ANY (ARRAY['csv'::text, 'json'::text]))),
  constraint exports_max_rows_check CHECK ((max_rows >= 1)),
  constraint exports_quoted_credits_check CHECK ((quoted_credits >= 0)),
  constraint exports_quoted_rows_check CHECK ((quoted_rows >= 0)),
  constraint exports_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'expired'::text, 'failed'::text]))),
  constraint exports_truncated_by_check CHECK ((truncated_by = ANY (ARRAY['row_limit'::text, 'max_rows'::text, 'credits'::text]))),
  constraint failed_exports_say_why CHECK (((state = 'failed'::text) = (failure IS NOT NULL)))
);
CREATE INDEX exports_by_account ON exports USING btree (account_id, id);
CREATE INDEX exports_by_expiry ON exports USING btree (expires_at) WHERE (file_name IS NOT NULL);
CREATE INDEX exports_unfinished ON exports USING btree (id) WHERE (state = ANY (ARRAY['queued'::text, 'running'::text]));

-- The latest complete result for a domain (§2.5): data about the organisation of the site. A failed attempt changes nothing.
create table firmographics (
  domain_id bigint not null,
  -- When the source was queried, not when the row was written.
  fetched_at timestamp with time zone not null,
  -- All data fields of §2.5 by name; null where the source has no value.
  data jsonb not null,
  stream text not null,
  constraint firmographics_pkey PRIMARY KEY (domain_id),
  constraint firmographics_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES domains(id)
);
CREATE TRIGGER search_of_gone_firmographics AFTER DELETE ON firmographics REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stale_firmographics();
CREATE TRIGGER search_of_new_firmographics AFTER INSERT ON firmographics REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stale_firmographics();

-- Versions of authorisations that were overwritten, reopened or deleted, for answers about what was known. So are the other tables named former_.
create table former_authorisations (
  id bigint not null,
  stream text not null,
  record_key text not null,
  domain_id bigint not null,
  market text not null,
  license_id bigint,
  company_id bigint,
  licensee_key text,
  published text not null,
  status text,
  counts boolean not null,
  first_seen_at timestamp with time zone not null,
  last_seen_at timestamp with time zone,
  known_from timestamp with time zone not null,
  known_to timestamp with time zone,
  from_event bigint not null,
  to_event bigint,
  -- The event that overwrote or deleted it.
  until_event bigint not null
);
CREATE INDEX former_authorisations_of_domain ON former_authorisations USING btree (domain_id);
CREATE INDEX former_authorisations_of_license ON former_authorisations USING btree (license_id);

-- Former versions of blocklist_entries.
create table former_blocklist_entries (
  id bigint not null,
  stream text not null,
  record_key text not null,
  regulator text not null,
  scope text not null,
  scope_rules integer not null,
  published text not null,
  listed_as text collate "C",
  domain_id bigint,
  listed boolean not null,
  first_seen_at timestamp with time zone not null,
  last_seen_at timestamp with time zone,
  listed_at timestamp with time zone,
  delisted_at timestamp with time zone,
  missing_at timestamp with time zone,
  withdrawn boolean not null,
  known_from timestamp with time zone not null,
  known_to timestamp with time zone,
  from_event bigint not null,
  to_event bigint,
  -- The event that overwrote or deleted it.
  until_event bigint not null
);
CREATE INDEX former_blocklist_entries_of_domain ON former_blocklist_entries USING btree (domain_id);
CREATE INDEX former_blocklist_entries_on_shared_hosts ON former_blocklist_entries USING btree (lower(listed_as)) WHERE (scope = 'shared_host'::text);

-- Former versions of domain_companies.
create table former_domain_companies (
  id bigint not null,
  domain_id bigint not null,
  company_id bigint not null,
  company_key text,
  relation text not null,
  brand text,
  stream text not null,
  known_from timestamp with time zone not null,
  known_to timestamp with time zone,
  from_event bigint not null,
  to_event bigint,
  -- The event that overwrote or deleted it.
  until_event bigint not null
);

-- Former versions of license_states.
create table former_license_states (
  id bigint not null,
  license_id bigint not null,
  license_number text,
  status text,
  license_type text,
  role text,
  licensee_key text,
  issued_at date,
  expires_at date,
  source_url text,
  last_seen_at timestamp with time zone,
  known_from timestamp with time zone not null,
  known_to timestamp with time zone,
  from_event bigint not null,
  to_event bigint,
  -- The event that overwrote or deleted it.
  until_event bigint not null
);
CREATE INDEX former_license_states_by_number_key ON former_license_states USING btree (license_number_key(license_number));
CREATE INDEX former_license_states_of_license ON former_license_states USING btree (license_id);

-- Former versions of licensee_states.
create table former_licensee_states (
  id bigint not null,
  stream text not null,
  record_key text not null,
  legal_name text not null,
  trading_names text[] not null,
  country text,
  registration_number text,
  first_seen_at timestamp with time zone not null,
  last_seen_at timestamp with time zone,
  known_from timestamp with time zone not null,
  known_to timestamp with time zone,
  from_event bigint not null,
  to_event bigint,
  -- The event that overwrote or deleted it.
  until_event bigint not null
);

-- The first answer under a key, byte for byte, for 7 days. The primary key decides which of several simultaneous requests is charged.
create table idempotency_records (
  account_id bigint not null,
  idempotency_key text not null,
  fingerprint bytea not null,
  settlement_id uuid not null,
  status integer not null,
  body text not null,
  credits bigint not null,
  created_at timestamp with time zone not null,
  constraint idempotency_records_pkey PRIMARY KEY (account_id, idempotency_key)
);
CREATE INDEX idempotency_records_by_age ON idempotency_records USING btree (created_at);
CREATE INDEX idempotency_records_of_people ON idempotency_records USING btree (created_at, settlement_id) WHERE (starts_with(body, '{"success":true'::text) AND ("left"(body, 200) ~~ '%"contacts":%'::text));

-- What imports say. `observations` is derived from these and from findings.
create table imported_observations (
  domain_id bigint not null,
  section text collate "C" not null,
  value_key text collate "C" not null,
  value jsonb not null,
  first_seen_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  last_confirmed_at timestamp with time zone,
  constraint imported_observations_pkey PRIMARY KEY (domain_id, section, value_key),
  constraint imported_observations_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES domains(id)
);

create table kept_chunks (
  file_id bigint not null,
  position integer not null,
  -- A part of one gzip stream, in the order of position.
  packed bytea not null,
  constraint kept_chunks_pkey PRIMARY KEY (file_id, "position"),
  constraint kept_chunks_file_id_fkey FOREIGN KEY (file_id) REFERENCES kept_files(id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);

-- Raw files, and normalised rows, named by the digest of their content. Never deleted.
create table kept_files (
  id bigint not null generated by default as identity,
  sha256 bytea not null,
  -- Uncompressed.
  bytes bigint not null,
  kept_at timestamp with time zone not null default now(),
  constraint kept_files_pkey PRIMARY KEY (id),
  constraint kept_files_sha256_key UNIQUE (sha256)
);

-- Sums of ledger_entries by day (UTC), for days in summed_ledger_days.
create table ledger_days (
  account_id bigint not null,
  day date not null,
  granted bigint not null,
  used bigint not null,
  constraint ledger_days_pkey PRIMARY KEY (account_id, day),
  constraint ledger_days_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);

create table ledger_entries (
  entry_id bigint not null generated always as identity,
  account_id bigint not null,
  settlement_id uuid not null,
  -- grant (credits are added) or charge (credits are used).
  kind text not null,
  -- The line of the price list; null for grants.
  price_key text,
  units bigint,
  credits bigint not null,
  request_id text,
  note text,
  recorded_at timestamp with time zone not null,
  constraint ledger_entries_pkey PRIMARY KEY (account_id, entry_id, recorded_at)
) partition by RANGE (recorded_at);
CREATE INDEX ledger_entries_by_time ON ONLY ledger_entries USING brin (recorded_at) WITH (pages_per_range='16');

-- Derived: search rows of the current licenses of each source. Columns as in company_search.
create table license_search (
  id bigint not null,
  ref text collate "C" not null,
  missing integer not null,
  sort_name text collate "C" not null,
  -- Words of the number, the holder's names, the type and the jurisdiction, with weights A to D. Prefixes: # the whole number, % a UKGC number without its version counter.
  document tsvector not null,
  terms integer[] not null,
  facets integer[] not null,
  hit json not null,
  -- The searchable names as a JSON list: license number, company name, legal entity, jurisdiction, type.
  names text not null,
  -- Empty: licenses cannot be found by words of domains.
  sites text not null,
  facets_change bigint not null default nextval('search_facet_changes'::regclass),
  constraint license_search_pkey PRIMARY KEY (id),
  constraint license_search_id_fkey FOREIGN KEY (id) REFERENCES licenses(id),
  constraint license_search_missing_check CHECK (((missing >= 0) AND (missing <= 1000)))
);
CREATE INDEX license_search_by_document ON license_search USING gin (document, terms);
CREATE INDEX license_search_by_facets_change ON license_search USING btree (facets_change);
CREATE INDEX license_search_in_order ON license_search USING btree (missing, sort_name, ref);
CREATE TRIGGER facets_of_changed_licenses BEFORE UPDATE OF facets ON license_search FOR EACH ROW WHEN ((old.facets <> new.facets)) EXECUTE FUNCTION number_facet_change();
CREATE TRIGGER search_counts_of_no_licenses AFTER TRUNCATE ON license_search FOR EACH STATEMENT EXECUTE FUNCTION forget_search_counts();

create table license_states (
  id bigint not null generated always as identity,
  license_id bigint not null,
  license_number text,
  -- As published, normalised; null: the source publishes none.
  status text,
  license_type text,
  -- operator or supplier, as the register lists the licensee; null: not stated.
  role text,
  -- The record key of the licensee in the same register; null: imported.
  licensee_key text,
  issued_at date,
  expires_at date,
  source_url text,
  -- null: the stream's last confirmation applies.
  last_seen_at timestamp with time zone,
  known_from timestamp with time zone not null,
  known_to timestamp with time zone,
  -- The event that wrote this version; 0: known before all events.
  from_event bigint not null default current_event(),
  -- The event that closed it; null: it is open.
  to_event bigint,
  constraint license_states_pkey PRIMARY KEY (id),
  constraint license_states_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id)
);
CREATE INDEX license_states_by_number_key ON license_states USING btree (license_number_key(license_number));
CREATE INDEX license_states_of_license ON license_states USING btree (license_id, known_from, id);
CREATE INDEX license_states_of_licensee ON license_states USING btree (licensee_key) WHERE ((known_to IS NULL) AND (licensee_key IS NOT NULL));
CREATE UNIQUE INDEX license_states_open ON license_states USING btree (license_id) WHERE (known_to IS NULL);
CREATE TRIGGER keep_deleted BEFORE DELETE ON license_states FOR EACH ROW EXECUTE FUNCTION keep_version();
CREATE TRIGGER keep_updated BEFORE UPDATE ON license_states FOR EACH ROW WHEN (((((((((((old.known_to IS DISTINCT FROM new.known_to) OR (old.license_id IS DISTINCT FROM new.license_id)) OR (old.license_number IS DISTINCT FROM new.license_number)) OR (old.status IS DISTINCT FROM new.status)) OR (old.license_type IS DISTINCT FROM new.license_type)) OR (old.role IS DISTINCT FROM new.role)) OR (old.licensee_key IS DISTINCT FROM new.licensee_key)) OR (old.issued_at IS DISTINCT FROM new.issued_at)) OR (old.expires_at IS DISTINCT FROM new.expires_at)) OR (old.source_url IS DISTINCT FROM new.source_url))) EXECUTE FUNCTION keep_version();
CREATE TRIGGER search_of_changed_license_states AFTER UPDATE ON license_states REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stale_license_states();
CREATE TRIGGER search_of_new_license_states AFTER INSERT ON license_states REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stale_license_states();

-- What a register states of its licensees. company_identities assigns them to Companies.
create table licensee_states (
  id bigint not null generated always as identity,
  stream text not null,
  record_key text not null,
  legal_name text not null,
  trading_names text[] not null,
  country text,
  registration_number text,
  first_seen_at timestamp with time zone not null,
  -- null: the stream's last confirmation applies.
  last_seen_at timestamp with time zone,
  known_from timestamp with time zone not null,
  known_to timestamp with time zone,
  -- The event that wrote this version; 0: known before all events.
  from_event bigint not null default current_event(),
  -- The event that closed it; null: it is open.
  to_event bigint,
  constraint licensee_states_pkey PRIMARY KEY (id)
);
CREATE INDEX licensee_states_of_record ON licensee_states USING btree (stream, record_key);
CREATE UNIQUE INDEX licensee_states_open ON licensee_states USING btree (stream, record_key) WHERE (known_to IS NULL);
CREATE TRIGGER keep_deleted BEFORE DELETE ON licensee_states FOR EACH ROW EXECUTE FUNCTION keep_version();
CREATE TRIGGER keep_updated BEFORE UPDATE ON licensee_states FOR EACH ROW WHEN ((((((((old.known_to IS DISTINCT FROM new.known_to) OR (old.record_key IS DISTINCT FROM new.record_key)) OR (old.legal_name IS DISTINCT FROM new.legal_name)) OR (old.trading_names IS DISTINCT FROM new.trading_names)) OR (old.country IS DISTINCT FROM new.country)) OR (old.registration_number IS DISTINCT FROM new.registration_number)) OR (old.first_seen_at IS DISTINCT FROM new.first_seen_at))) EXECUTE FUNCTION keep_version();

-- The constant part of a license. license_states has the data of registers.
create table licenses (
  id bigint not null generated always as identity,
  license_ref text not null,
  stream text not null,
  -- The number without its changing part (UKGC: the version counter).
  record_key text not null,
  jurisdiction text not null,
  company_id bigint,
  -- The Company's key in an interchange file; null: none, or the license is from a register.
  company_key text,
  first_seen_at timestamp with time zone not null,
  constraint licenses_pkey PRIMARY KEY (id),
  constraint licenses_license_ref_key UNIQUE (license_ref),
  constraint licenses_stream_record_key_key UNIQUE (stream, record_key),
  constraint licenses_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id)
);
CREATE INDEX licenses_of_company ON licenses USING btree (company_id);
CREATE INDEX licenses_of_jurisdiction ON licenses USING btree (jurisdiction);
CREATE TRIGGER search_of_changed_licenses AFTER UPDATE ON licenses REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stale_licenses();
CREATE TRIGGER search_of_new_licenses AFTER INSERT ON licenses REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stale_licenses();

-- An account's part in a visit. Other accounts cannot see it.
create table lobby_runs (
  id bigint not null generated always as identity,
  run_ref text collate "C" not null,
  account_id bigint not null,
  visit_id bigint not null,
  suppliers text[] not null,
  -- The reserved credits until the visit ends; null: it costs nothing.
  reservation_id uuid,
  credits_charged bigint not null default 0,
  requested_at timestamp with time zone not null,
  request_id text,
  client jsonb,
  key_id bigint,
  idempotency_key text,
  constraint lobby_runs_pkey PRIMARY KEY (id),
  constraint lobby_runs_account_id_visit_id_key UNIQUE (account_id, visit_id),
  constraint lobby_runs_run_ref_key UNIQUE (run_ref),
  constraint lobby_runs_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint lobby_runs_visit_id_fkey FOREIGN KEY (visit_id) REFERENCES lobby_visits(id)
);
CREATE INDEX lobby_runs_of_account ON lobby_runs USING btree (account_id, id DESC);
CREATE INDEX lobby_runs_of_key ON lobby_runs USING btree (account_id, idempotency_key) WHERE (idempotency_key IS NOT NULL);
CREATE INDEX lobby_runs_of_visit ON lobby_runs USING btree (visit_id);

-- One visit of a lobby in a browser.
create table lobby_visits (
  id bigint not null generated always as identity,
  domain text collate "C" not null,
  -- The requested page; null: the root.
  url text,
  device text not null,
  state text not null,
  reason text,
  requested_at timestamp with time zone not null,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  attempts integer not null default 0,
  final_url text,
  sections jsonb,
  games jsonb,
  -- Of the way out of the worker, as OUTBOUND_COUNTRY says; null: not configured.
  country text,
  constraint lobby_visits_pkey PRIMARY KEY (id),
  constraint lobby_visits_check CHECK (((state = ANY (ARRAY['queued'::text, 'running'::text])) = (finished_at IS NULL))),
  constraint lobby_visits_check1 CHECK (((state = 'failed'::text) = (reason IS NOT NULL))),
  constraint lobby_visits_check2 CHECK (((state = ANY (ARRAY['completed'::text, 'partial'::text])) = (games IS NOT NULL))),
  constraint lobby_visits_device_check CHECK ((device = ANY (ARRAY['desktop'::text, 'mobile'::text]))),
  constraint lobby_visits_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'partial'::text, 'failed'::text])))
);
CREATE INDEX lobby_visits_ended ON lobby_visits USING btree (domain, finished_at) WHERE (finished_at IS NOT NULL);
CREATE UNIQUE INDEX lobby_visits_open ON lobby_visits USING btree (domain, COALESCE(url, ''::text), device) WHERE (state = ANY (ARRAY['queued'::text, 'running'::text]));

-- Derived: names of subjects from Companies and sites. Names stated in files are in logo_subjects.
create table logo_names (
  id bigint not null generated always as identity,
  kind text not null,
  -- The Company with this name or brand; null: observed on a site.
  company_id bigint,
  name text not null,
  -- null: added in this transaction, and not assigned yet.
  subject_id bigint,
  constraint logo_names_pkey PRIMARY KEY (id),
  constraint logo_names_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  constraint logo_names_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES logo_subjects(id),
  constraint logo_names_kind_check CHECK ((kind = ANY (ARRAY['operator_brand'::text, 'company'::text, 'supplier_brand'::text, 'payment_method'::text])))
);
CREATE UNIQUE INDEX logo_names_of_company ON logo_names USING btree (company_id) WHERE (kind = 'company'::text);
CREATE INDEX logo_names_of_subject ON logo_names USING btree (subject_id);
CREATE UNIQUE INDEX logo_names_once ON logo_names USING btree (company_id, kind, md5(name)) NULLS NOT DISTINCT;
CREATE INDEX logo_names_unplaced ON logo_names USING btree (id) WHERE (subject_id IS NULL);

-- Companies whose names or brands changed in this transaction; empty between transactions.
create table logo_stale_companies (
  company_id bigint not null,
  constraint logo_stale_companies_pkey PRIMARY KEY (company_id)
);

-- Everything that may have a logo, with or without one.
create table logo_subjects (
  id bigint not null generated always as identity,
  kind text not null,
  -- From the first name, or as stated in a file. Stable when the name changes; images are addressed by it.
  slug text collate "C" not null,
  -- The stated name, or else the first of logo_names.
  name text not null,
  -- The folded words of the name, for fragment matches and for ordering.
  name_folded text collate "C" not null,
  -- The folded name without blanks, for prefix matches: luckyotter finds Lucky Otter.
  name_joined text collate "C" not null,
  -- The name in an interchange file; null: none, and the subject is removed with its last name.
  stated_name text,
  -- The domain that a file states; null: none; links to Companies apply.
  domain_id bigint,
  -- As stated in a file; empty: derived from its Companies.
  role text[] not null default '{}'::text[],
  constraint logo_subjects_pkey PRIMARY KEY (id),
  constraint logo_subjects_kind_slug_key UNIQUE (kind, slug),
  constraint logo_subjects_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES domains(id),
  constraint a_file_states_all_or_nothing CHECK (((stated_name IS NOT NULL) OR ((domain_id IS NULL) AND (role = '{}'::text[])))),
  constraint logo_subjects_kind_check CHECK ((kind = ANY (ARRAY['operator_brand'::text, 'company'::text, 'supplier_brand'::text, 'payment_method'::text, 'game'::text]))),
  constraint logo_subjects_slug_check CHECK ((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text))
);
CREATE INDEX logo_subjects_by_joined_name ON logo_subjects USING btree (name_joined);
CREATE INDEX logo_subjects_by_kind ON logo_subjects USING btree (kind, name_folded, slug);
CREATE INDEX logo_subjects_by_name ON logo_subjects USING btree (name_folded, kind, slug);
CREATE INDEX logo_subjects_like_name ON logo_subjects USING gin (name_folded gin_trgm_ops);
CREATE INDEX logo_subjects_of_domain ON logo_subjects USING btree (domain_id) WHERE (domain_id IS NOT NULL);

-- Current and former images of subjects. Never deleted.
create table logos (
  id bigint not null generated always as identity,
  subject_id bigint not null,
  variant text collate "C" not null,
  theme text collate "C" not null,
  format text collate "C" not null,
  -- In pixels; null: the drawing has no intrinsic size.
  width integer,
  height integer,
  -- The file below LOGO_URL, named by the SHA-256 of its content. Served while one of its rows is current or superseded.
  file_name text collate "C" not null,
  source text not null,
  status text not null,
  first_seen_at timestamp with time zone not null,
  -- The end of its time as current; null: current, or rejected before.
  superseded_at timestamp with time zone,
  -- Why it was withdrawn by a person; null: not withdrawn, or withdrawn by an interchange file.
  reason text,
  constraint logos_pkey PRIMARY KEY (id),
  constraint logos_subject_id_variant_theme_file_name_first_seen_at_key UNIQUE (subject_id, variant, theme, file_name, first_seen_at),
  constraint logos_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES logo_subjects(id),
  constraint current_until_superseded CHECK (
CASE status
    WHEN 'current'::text THEN (superseded_at IS NULL)
    WHEN 'rejected'::text THEN true
    ELSE (superseded_at IS NOT NULL)
END),
  constraint logos_format_check CHECK ((format = ANY (ARRAY['svg'::text, 'png'::text, 'jpeg'::text, 'webp'::text, 'gif'::text]))),
  constraint logos_source_check CHECK ((source = ANY (ARRAY['business_profile'::text, 'website'::text, 'catalog'::text]))),
  constraint logos_status_check CHECK ((status = ANY (ARRAY['current'::text, 'superseded'::text, 'withdrawn'::text, 'rejected'::text])))
);
CREATE UNIQUE INDEX logos_current ON logos USING btree (subject_id, variant, theme, format) WHERE (status = 'current'::text);
CREATE INDEX logos_of_file ON logos USING btree (file_name);

-- Credits that MCP sessions have spent; written by settling, under the lock of the account. A session without a charge has no row.
create table mcp_sessions (
  account_id bigint not null,
  session_id text collate "C" not null,
  spent bigint not null,
  last_charged_at timestamp with time zone not null,
  constraint mcp_sessions_pkey PRIMARY KEY (account_id, session_id),
  constraint mcp_sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint mcp_sessions_spent_check CHECK ((spent >= 0))
);
CREATE INDEX mcp_sessions_by_age ON mcp_sessions USING btree (last_charged_at);

create table memberships (
  user_id bigint not null,
  account_id bigint not null,
  role text not null,
  created_at timestamp with time zone not null,
  constraint memberships_pkey PRIMARY KEY (user_id, account_id),
  constraint memberships_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint memberships_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'member'::text, 'billing'::text])))
);
CREATE INDEX memberships_by_account ON memberships USING btree (account_id, user_id);

-- Decisions about names of licensees, for all registers and for ever.
create table name_decisions (
  -- A keyed hash of the folded name (signing_secrets, suppression): a person's name is not stored.
  digest bytea not null,
  is_person boolean not null,
  -- The name of a firm; null: of a natural person.
  name text,
  why text not null,
  -- The e-mail address of the person of staff; null: a command.
  decided_by text,
  decided_at timestamp with time zone not null,
  constraint name_decisions_pkey PRIMARY KEY (digest),
  constraint name_decisions_check CHECK (((name IS NULL) OR (NOT is_person)))
);

-- One window per value: derived from imported_observations and the findings in force of site_findings.
create table observations (
  domain_id bigint not null,
  section text not null,
  -- Identifies a value within its section: a name, URL or domain; constant for geo.
  value_key text not null,
  -- The fields of the section as in §2.9, without the dates.
  value jsonb not null,
  first_seen_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  last_confirmed_at timestamp with time zone,
  constraint observations_pkey PRIMARY KEY (domain_id, section, value_key),
  constraint observations_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES domains(id)
);
CREATE INDEX observations_by_place ON observations USING gin (((lower(((value -> 'geo_hints'::text))::text))::jsonb)) WHERE (section = 'geo'::text);
CREATE INDEX observations_by_supplier ON observations USING btree (lower((value ->> 'normalized_provider_name'::text)), domain_id) WHERE (section = 'supplier_brands'::text);
CREATE TRIGGER logo_names_seen AFTER INSERT ON observations REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION note_logo_names_seen();
CREATE TRIGGER search_of_changed_observations AFTER UPDATE ON observations REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stale_observations();
CREATE TRIGGER search_of_gone_observations AFTER DELETE ON observations REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stale_observations();
CREATE TRIGGER search_of_new_observations AFTER INSERT ON observations REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stale_observations();

-- The place in the line for requests to a host, across processes. Rows whose time is past are deleted.
create table outbound_turns (
  host text collate "C" not null,
  -- When the next request may be sent.
  next_at timestamp with time zone not null,
  constraint outbound_turns_pkey PRIMARY KEY (host)
);
CREATE INDEX outbound_turns_by_time ON outbound_turns USING btree (next_at);

create table passkey_challenges (
  challenge text not null,
  -- Who registers a passkey; null: somebody signs in.
  user_id bigint,
  expires_at timestamp with time zone not null,
  constraint passkey_challenges_pkey PRIMARY KEY (challenge),
  constraint passkey_challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX passkey_challenges_by_expiry ON passkey_challenges USING btree (expires_at);

create table passkeys (
  credential_id bytea not null,
  user_id bigint not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  constraint passkeys_pkey PRIMARY KEY (credential_id),
  constraint passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX passkeys_by_user ON passkeys USING btree (user_id);

-- A site on a dated list. The domain may be in no other table.
create table past_listings (
  domain text collate "C" not null,
  list_id bigint not null,
  published text not null,
  constraint past_listings_pkey PRIMARY KEY (domain, list_id),
  constraint past_listings_list_id_fkey FOREIGN KEY (list_id) REFERENCES past_lists(id)
);

-- A dated list of the sites of a register. No verdict, Signal or search reads it. Never deleted.
create table past_lists (
  id bigint not null generated always as identity,
  stream text not null,
  market text not null,
  -- The day of the list, from the name of its file or folder.
  listed_on date not null,
  file_name text not null,
  -- The digest of the file, which kept_files has.
  sha256 bytea not null,
  sites integer not null,
  rejected integer not null,
  loaded_at timestamp with time zone not null,
  -- When the operator took the list back; null: it counts.
  withdrawn_at timestamp with time zone,
  constraint past_lists_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX past_lists_counting ON past_lists USING btree (stream, listed_on) WHERE (withdrawn_at IS NULL);

-- Changes of plans by staff, as an audit trail. Never updated.
create table plan_changes (
  id bigint not null generated always as identity,
  account_id bigint not null,
  plan_before text not null,
  plan_after text not null,
  -- As staff gave it.
  reason text not null,
  changed_at timestamp with time zone not null,
  constraint plan_changes_pkey PRIMARY KEY (id),
  constraint plan_changes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint plan_changes_check CHECK ((plan_after <> plan_before))
);
CREATE INDEX plan_changes_by_account ON plan_changes USING btree (account_id, id);

create table platform_readings (
  domain_id bigint not null,
  -- When the page was seen, not when the row was written.
  seen_at timestamp with time zone not null,
  platform_id bigint not null,
  stream text not null,
  constraint platform_readings_pkey PRIMARY KEY (domain_id, seen_at, platform_id),
  constraint platform_readings_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES domains(id),
  constraint platform_readings_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id)
);
CREATE INDEX platform_readings_of_platform ON platform_readings USING btree (platform_id, seen_at);

create table platforms (
  id bigint not null generated always as identity,
  platform_key text not null,
  name text not null,
  aliases text[] not null default '{}'::text[],
  -- null: no person has reviewed the vendor as a platform, and it is not published.
  reviewed_at timestamp with time zone,
  constraint platforms_pkey PRIMARY KEY (id),
  constraint platforms_platform_key_key UNIQUE (platform_key)
);
CREATE TRIGGER search_of_changed_platforms AFTER UPDATE ON platforms REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stale_platforms();

-- The uploaded file of a portfolio, as a secret of the customer: in no dump. Purged after 30 days.
create table portfolio_files (
  portfolio_id bigint not null,
  content bytea not null,
  -- The number of the column of sites, from 1.
  site_column integer not null,
  uploaded_at timestamp with time zone not null,
  constraint portfolio_files_pkey PRIMARY KEY (portfolio_id),
  constraint portfolio_files_portfolio_id_fkey FOREIGN KEY (portfolio_id) REFERENCES portfolios(id) ON DELETE CASCADE
);
CREATE INDEX portfolio_files_by_age ON portfolio_files USING btree (uploaded_at);

-- A registrable domain of a portfolio, in the order in which it was added.
create table portfolio_members (
  portfolio_id bigint not null,
  id bigint not null generated always as identity,
  domain text collate "C" not null,
  -- The last verdict change when it was added. Only later ones are changes of the portfolio.
  added_after bigint not null,
  -- The verdict that a screening bought; null: none.
  verdict text,
  -- The markets of licenses, of that verdict.
  licensed_in text[],
  -- The markets of blocklists, of that verdict.
  blocked_in text[],
  -- The moment of knowledge of that verdict.
  known_at timestamp with time zone,
  constraint portfolio_members_pkey PRIMARY KEY (portfolio_id, id),
  constraint portfolio_members_portfolio_id_domain_key UNIQUE (portfolio_id, domain),
  constraint portfolio_members_portfolio_id_fkey FOREIGN KEY (portfolio_id) REFERENCES portfolios(id) ON DELETE CASCADE
);
CREATE INDEX portfolio_members_by_domain ON portfolio_members USING btree (domain) INCLUDE (portfolio_id, added_after);

-- Whom a portfolio informs of new changes, and the outcome of the last message.
create table portfolio_notices (
  portfolio_id bigint not null,
  channel text not null,
  -- The e-mail address of a member of the account, or a URL.
  target text not null,
  -- Signs the messages to a URL, as Standard Webhooks do.
  secret bytea,
  -- Changes that no delivered message has counted.
  changes integer not null default 0,
  -- What is being sent, the same in each attempt; null: nothing.
  message json,
  attempts integer not null default 0,
  -- The earliest time of the next attempt.
  next_at timestamp with time zone not null,
  -- The first failure since the last delivery.
  failing_since timestamp with time zone,
  last_at timestamp with time zone,
  last_outcome text,
  -- When messages ended: the URL answered 410, or failed for three days.
  disabled_at timestamp with time zone,
  constraint portfolio_notices_pkey PRIMARY KEY (portfolio_id, channel),
  constraint portfolio_notices_portfolio_id_fkey FOREIGN KEY (portfolio_id) REFERENCES portfolios(id) ON DELETE CASCADE,
  constraint portfolio_notices_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'url'::text])))
);
CREATE INDEX portfolio_notices_due ON portfolio_notices USING btree (next_at) WHERE ((changes > 0) AND (disabled_at IS NULL));

-- The last screening of a portfolio. A batch is charged, and stored with its members, in one transaction.
create table portfolio_screenings (
  portfolio_id bigint not null,
  -- The moment of knowledge of all its verdicts.
  known_at timestamp with time zone not null,
  -- The last member that was screened.
  position bigint not null default 0,
  -- The credits that it was charged.
  credits bigint not null default 0,
  -- The most that it may be charged: the price on the button.
  credits_max bigint not null,
  -- When it ended, or stopped at the end of the balance or of the price; null: it runs.
  stopped_at timestamp with time zone,
  -- Counts what changed it. A form of an earlier version starts nothing.
  version integer not null default 1,
  constraint portfolio_screenings_pkey PRIMARY KEY (portfolio_id),
  constraint portfolio_screenings_portfolio_id_fkey FOREIGN KEY (portfolio_id) REFERENCES portfolios(id) ON DELETE CASCADE
);
CREATE INDEX portfolio_screenings_that_run ON portfolio_screenings USING btree (portfolio_id) WHERE (stopped_at IS NULL);

-- One row: the last verdict change that was counted for notices.
create table portfolio_sweep (
  is_only boolean not null default true,
  last_number bigint not null,
  constraint portfolio_sweep_pkey PRIMARY KEY (is_only),
  constraint portfolio_sweep_is_only_check CHECK (is_only)
);

-- A list of sites that an account watches. Other accounts cannot see it.
create table portfolios (
  id bigint not null generated always as identity,
  account_id bigint not null,
  name text collate "C" not null,
  note text,
  -- The number of members.
  size integer not null default 0,
  created_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  -- The last verdict change when it was created.
  created_after bigint not null default 0,
  -- Where the dashboard last read the changes; null: not yet.
  seen_cursor text,
  -- The last verdict change that the dashboard read; null: not yet.
  seen_number bigint,
  constraint portfolios_pkey PRIMARY KEY (id),
  constraint portfolios_account_id_name_key UNIQUE (account_id, name),
  constraint portfolios_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint portfolios_name_check CHECK ((name ~ '^[a-z0-9][a-z0-9_-]{0,63}$'::text)),
  constraint portfolios_size_check CHECK ((size >= 0))
);

-- Requests of the public form with their contact. Deleted when the list is cancelled, or with the list when it is not handled.
create table prospect_list_requests (
  prospect_list_id bigint not null,
  name text not null,
  email text not null,
  company text not null,
  request text not null,
  received_at timestamp with time zone not null,
  constraint prospect_list_requests_pkey PRIMARY KEY (prospect_list_id),
  constraint prospect_list_requests_prospect_list_id_fkey FOREIGN KEY (prospect_list_id) REFERENCES prospect_lists(id)
);

-- Lists that staff prepare for an account. The result is personal data: deleted when the list is cancelled; suppressions remove people from it.
create table prospect_lists (
  id bigint not null generated always as identity,
  prospect_list_ref text not null,
  -- The key in an interchange file, given or derived from the line; null: created by staff or the public form.
  import_key text,
  -- null: requested through the public form, and not assigned yet.
  account_id bigint,
  cadence text not null,
  -- requested, preparing, ready or cancelled. Customers never see cancelled lists.
  status text not null,
  requested_at timestamp with time zone not null,
  -- When it was delivered; null: not delivered. A cancelled list retains it.
  ready_at timestamp with time zone,
  -- The object of §2.13; null before the list is ready and after it is cancelled.
  result jsonb,
  -- Derived from the result; null without one.
  target_account_count integer generated always as (jsonb_array_length((result -> 'target_accounts'::text))) stored,
  constraint prospect_lists_pkey PRIMARY KEY (id),
  constraint prospect_lists_import_key_key UNIQUE (import_key),
  constraint prospect_lists_prospect_list_ref_key UNIQUE (prospect_list_ref),
  constraint prospect_lists_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint prospect_lists_cadence_check CHECK ((cadence = ANY (ARRAY['one_time'::text, 'weekly'::text, 'continuous'::text]))),
  constraint prospect_lists_check CHECK (((status = 'ready'::text) = (result IS NOT NULL))),
  constraint prospect_lists_check1 CHECK (((status <> 'ready'::text) OR (account_id IS NOT NULL))),
  constraint prospect_lists_check2 CHECK (
CASE status
    WHEN 'ready'::text THEN (ready_at IS NOT NULL)
    WHEN 'cancelled'::text THEN true
    ELSE (ready_at IS NULL)
END),
  constraint prospect_lists_status_check CHECK ((status = ANY (ARRAY['requested'::text, 'preparing'::text, 'ready'::text, 'cancelled'::text])))
);
CREATE INDEX prospect_lists_by_request ON prospect_lists USING btree (requested_at);
CREATE INDEX prospect_lists_of_account ON prospect_lists USING btree (account_id, requested_at DESC, prospect_list_ref COLLATE "C" DESC) WHERE (status <> 'cancelled'::text);

-- Ed25519 keys of receipts. The one in use is made at the first start. In the schema demo: empty, because the key of the installation signs there, too.
create table receipt_keys (
  -- The thumbprint of the public key (RFC 7638).
  kid text not null,
  public_key bytea not null,
  -- PKCS#8; deleted when the key is retired.
  private_key bytea,
  created_at timestamp with time zone not null,
  -- null: it signs.
  retired_at timestamp with time zone,
  -- Nobody shall trust its signatures; null: not revoked.
  revoked_at timestamp with time zone,
  -- Published with the key.
  revoked_because text,
  constraint receipt_keys_pkey PRIMARY KEY (kid),
  constraint receipt_keys_public_key_check CHECK ((length(public_key) = 32)),
  constraint retired_keys_cannot_sign CHECK (((private_key IS NULL) = (retired_at IS NOT NULL))),
  constraint revocations_have_a_reason CHECK (((revoked_at IS NULL) = (revoked_because IS NULL))),
  constraint revoked_keys_are_retired CHECK (((revoked_at IS NULL) OR (retired_at IS NOT NULL)))
);
CREATE UNIQUE INDEX receipt_keys_current ON receipt_keys USING btree (((retired_at IS NULL))) WHERE (retired_at IS NULL);

-- What gambling is allowed in a market, with its source. A row is closed, never overwritten or deleted.
create table regimes (
  id bigint not null generated always as identity,
  regime_ref text not null,
  market text collate "C" not null,
  vertical text not null,
  state text not null,
  from_day date not null,
  -- The last day in force; null: no end is known.
  to_day date,
  source_url text not null,
  note text,
  why text not null,
  -- The e-mail address of the person; baize: shipped with the program; null: a command.
  entered_by text,
  entered_at timestamp with time zone not null,
  -- The row that the approval of this one closes. If to_day is before from_day, that row never applied.
  ends_id bigint,
  -- The e-mail address of the person; baize: shipped with the program; null: a command, or nobody yet.
  approved_by text,
  approved_at timestamp with time zone,
  -- When it was published; null: proposed or withdrawn, or it states that another row never applied.
  known_from timestamp with time zone,
  -- When it was closed or withdrawn; null: it is known now, or proposed.
  known_to timestamp with time zone,
  -- Names the fact in the data of the program; null: entered by staff.
  shipped_key text,
  constraint regimes_pkey PRIMARY KEY (id),
  constraint regimes_regime_ref_key UNIQUE (regime_ref),
  constraint regimes_ends_id_fkey FOREIGN KEY (ends_id) REFERENCES regimes(id),
  constraint regimes_check CHECK (((known_from IS NULL) OR (to_day IS NULL) OR (to_day >= from_day))),
  constraint regimes_check1 CHECK ((known_to >= known_from)),
  constraint regimes_note_check CHECK ((char_length(note) <= 300)),
  constraint regimes_state_check CHECK ((state = ANY (ARRAY['open'::text, 'licensed_only'::text, 'monopoly'::text, 'prohibited'::text, 'suspended'::text, 'not_regulated'::text, 'opens'::text]))),
  constraint regimes_vertical_check CHECK ((vertical = ANY (ARRAY['all'::text, 'betting'::text, 'casino'::text, 'poker'::text, 'lottery'::text])))
);
CREATE INDEX regimes_ends ON regimes USING btree (ends_id) WHERE (ends_id IS NOT NULL);

-- The facts of the known streams, for the coverage: copied from the code and from descriptions at each start.
create table register_facts (
  stream text collate "C" not null,
  market text not null,
  kind text not null,
  official_url text not null,
  -- How the file is found; null: its address is not known.
  resolve text,
  format text not null,
  language text not null,
  -- recorded: read from a file of the regulator; described: known from documents or public code alone.
  layout text not null,
  layout_recorded_at date,
  publishes text[] not null,
  cadence_words text not null,
  cadence_hours integer not null,
  terms text,
  -- Where these facts come from, in words.
  sources jsonb not null,
  constraint register_facts_pkey PRIMARY KEY (stream),
  constraint register_facts_kind_check CHECK ((kind = ANY (ARRAY['register'::text, 'blocklist'::text, 'register_and_blocklist'::text]))),
  constraint register_facts_layout_check CHECK ((layout = ANY (ARRAY['recorded'::text, 'described'::text])))
);

-- The last look at the official address of a stream, by a probe or by a fetch that began there.
create table register_probes (
  stream text collate "C" not null,
  probed_at timestamp with time zone not null,
  is_well boolean not null,
  -- Why it is not well; empty if it is.
  reasons text[] not null,
  -- What differs from the recorded layout and from the probe before.
  changes text[] not null,
  found_url text,
  media_type text,
  -- Rows of the file; null: it was not read.
  rows integer,
  newest_date date,
  -- Whether the worker probes it each night while it is not watched: since an operator probed it, until "unwatch".
  is_nightly boolean not null default false,
  constraint register_probes_pkey PRIMARY KEY (stream)
);

create table register_runs (
  id bigint not null generated always as identity,
  stream text not null,
  started_at timestamp with time zone not null,
  finished_at timestamp with time zone not null,
  status text not null,
  snapshot_id bigint,
  reasons text[] not null default '{}'::text[],
  constraint register_runs_pkey PRIMARY KEY (id),
  constraint register_runs_snapshot_id_fkey FOREIGN KEY (snapshot_id) REFERENCES register_snapshots(id),
  constraint register_runs_status_check CHECK ((status = ANY (ARRAY['applied'::text, 'unchanged'::text, 'held'::text, 'refused'::text, 'discarded'::text])))
);
CREATE INDEX register_runs_of_stream ON register_runs USING btree (stream, id);

create table register_snapshots (
  id bigint not null generated always as identity,
  snapshot_ref text not null,
  stream text not null,
  -- Numbers the applied snapshots of a stream, discarded ones included; null: never applied.
  number integer,
  status text not null default 'applied'::text,
  taken_at timestamp with time zone not null,
  received_at timestamp with time zone not null default now(),
  applied_at timestamp with time zone,
  -- The previous snapshot's files, read by a newer parser: corrects data without creating Signals.
  is_correction boolean not null default false,
  -- Read from a folder of older files; its Signals are marked and free of charge.
  is_backfill boolean not null default false,
  content_sha256 bytea not null,
  -- [{name, sha256, bytes}]: the raw files, in kept_files.
  files jsonb not null,
  -- Whether the files were read in the regulator's own form or in that of a mirror.
  form text not null,
  parser_version integer not null,
  -- The normalised rows as NDJSON, in kept_files.
  rows_sha256 bytea not null,
  rows integer not null,
  rejected integer not null,
  rejected_by_reason jsonb not null,
  -- Examples of rejected rows, some per reason: [{line, published, reason}].
  rejects jsonb not null,
  -- Rows that the source has not decided; not among the rejected.
  undecided integer not null,
  -- The figures that the guard compares with the next snapshot.
  figures jsonb not null,
  added integer not null,
  removed integer not null,
  changed integer not null,
  signals integer not null default 0,
  -- Why it was quarantined; retained after approval.
  hold_reasons text[] not null default '{}'::text[],
  -- Examples of what it would change: [{kind, change, name, fields: [{name, before, after}]}]; null: never quarantined.
  difference jsonb,
  -- All that a quarantined snapshot would change, as NDJSON in kept_files; null: never quarantined.
  difference_sha256 bytea,
  approved_at timestamp with time zone,
  approved_because text,
  -- When an operator took it back; null: it was not.
  discarded_at timestamp with time zone,
  discarded_because text,
  constraint register_snapshots_pkey PRIMARY KEY (id),
  constraint register_snapshots_snapshot_ref_key UNIQUE (snapshot_ref),
  constraint register_snapshots_stream_number_key UNIQUE (stream, number),
  constraint register_snapshots_difference_sha256_fkey FOREIGN KEY (difference_sha256) REFERENCES kept_files(sha256),
  constraint register_snapshots_rows_sha256_fkey FOREIGN KEY (rows_sha256) REFERENCES kept_files(sha256),
  constraint register_snapshots_stream_fkey FOREIGN KEY (stream) REFERENCES register_streams(stream),
  constraint applied_snapshots_are_numbered CHECK (
CASE status
    WHEN 'applied'::text THEN (number IS NOT NULL)
    WHEN 'discarded'::text THEN ((number IS NULL) = (applied_at IS NULL))
    ELSE (number IS NULL)
END),
  constraint approvals_have_a_reason CHECK (((approved_at IS NULL) = (approved_because IS NULL))),
  constraint discards_have_a_reason CHECK ((((status = 'discarded'::text) = (discarded_at IS NOT NULL)) AND ((discarded_at IS NULL) = (discarded_because IS NULL)))),
  constraint register_snapshots_form_check CHECK ((form = ANY (ARRAY['official'::text, 'mirror'::text]))),
  constraint register_snapshots_status_check CHECK ((status = ANY (ARRAY['applied'::text, 'held'::text, 'superseded'::text, 'discarded'::text])))
);
CREATE INDEX register_snapshots_by_applied_at ON register_snapshots USING btree (stream, applied_at);

-- The streams that have been synced, and import. Streams are defined in code.
create table register_streams (
  stream text not null,
  market text not null,
  covers text[] not null,
  parser_version integer,
  -- The number of the snapshot in use; 0: none yet, or all were discarded.
  snapshot_number integer not null default 0,
  -- When the last applied or confirmed snapshot was taken; null: none yet.
  last_taken_at timestamp with time zone,
  -- When the source last confirmed the open rows, which derive their last_confirmed_at from it.
  last_confirmed_at timestamp with time zone,
  last_run_at timestamp with time zone,
  -- The quarantined snapshot that awaits approval; null: none.
  quarantined_snapshot_id bigint,
  -- Whether its records can contain an operator's license: only then is it a source of market entries (§4.1).
  makes_market_entries boolean not null default false,
  -- This and the columns up to cadence_hours describe the source in its Signals (§4.1, §4.3). Written at each sync. null: not a register (import).
  regulator text,
  regulator_country_code text,
  official_url text,
  source_claim text,
  qualification text,
  source_identity text,
  -- How often the source publishes; it is stale after three times that.
  cadence_hours integer,
  -- The addresses of the snapshot's files, one a line; null: not fetched automatically.
  watch_url text,
  -- Whether the files are found from the official address at each fetch; watch_url is then that address.
  watch_is_official boolean not null default false,
  -- The addresses of the files fetched last, one a line; watch_etag and watch_last_modified belong to them. null: none yet.
  watch_found_url text,
  watch_every_minutes integer,
  -- The last snapshot that fetched files created or confirmed. Its validators are sent only while it is the last applied one.
  watch_snapshot_id bigint,
  -- The ETag of each file of watch_snapshot_id, one line for each watch_url, empty without one.
  watch_etag text,
  -- Last-Modified, as watch_etag.
  watch_last_modified text,
  -- When the source was last fetched; null: not since it is watched.
  watched_at timestamp with time zone,
  -- Consecutive fetches without a usable result.
  watch_failures integer not null default 0,
  constraint register_streams_pkey PRIMARY KEY (stream),
  constraint register_streams_quarantined_snapshot_id_fkey FOREIGN KEY (quarantined_snapshot_id) REFERENCES register_snapshots(id),
  constraint register_streams_watch_snapshot_id_fkey FOREIGN KEY (watch_snapshot_id) REFERENCES register_snapshots(id),
  constraint register_streams_cadence_hours_check CHECK ((cadence_hours > 0)),
  constraint register_streams_watch_every_minutes_check CHECK ((watch_every_minutes > 0))
);

create table renderers (
  worker text not null,
  state text not null,
  -- Why it is not on; null: it is.
  reason text,
  message text,
  renders integer not null,
  failed integer not null,
  -- How often Chromium was killed, because a visit did not end or needed too much memory.
  killed integer not null,
  -- Processes of Chromium that run; none when it is idle.
  processes integer not null,
  last_failure text,
  seen_at timestamp with time zone not null,
  constraint renderers_pkey PRIMARY KEY (worker),
  constraint renderers_state_check CHECK ((state = ANY (ARRAY['on'::text, 'off'::text, 'unavailable'::text])))
);

-- Credits reserved for work in progress. The owner renews its lease; a sweep releases those of dead owners.
create table reservations (
  reservation_id uuid not null,
  account_id bigint not null,
  credits bigint not null,
  purpose text not null,
  leased_until timestamp with time zone not null,
  created_at timestamp with time zone not null default now(),
  constraint reservations_pkey PRIMARY KEY (reservation_id),
  constraint reservations_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint reservations_credits_check CHECK ((credits >= 0))
);
CREATE INDEX reservations_by_lease ON reservations USING btree (leased_until);
CREATE INDEX reservations_of_account ON reservations USING btree (account_id);

-- Pages of the dashboard that an account saved, which all its members see.
create table saved_pages (
  id bigint not null generated always as identity,
  account_id bigint not null,
  name text not null,
  -- The path and the filters of a search, or the path of a Company that the account follows.
  address text not null,
  saved_at timestamp with time zone not null,
  constraint saved_pages_pkey PRIMARY KEY (id),
  constraint saved_pages_account_id_address_key UNIQUE (account_id, address),
  constraint saved_pages_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint saved_pages_address_check CHECK ((address ~ '^/dashboard/(companies|licenses|domains)([/?]|$)'::text)),
  constraint saved_pages_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 120)))
);

-- Companies and licenses whose search row is outdated. Triggers add them, and the same transaction removes them. Empty in every committed state.
create table search_stale (
  subject text not null,
  id bigint not null,
  constraint search_stale_pkey PRIMARY KEY (subject, id),
  constraint search_stale_subject_check CHECK ((subject = ANY (ARRAY['company'::text, 'license'::text])))
);

-- The dictionary of exact filters: a search row has the ids of its terms. Derived, except for the ids, which are stable.
create table search_terms (
  id integer not null generated always as identity,
  subject text not null,
  -- The filter's name; with "as spelt", the values that facets count of a folded filter. Empty: the term of every row, which rows do not list.
  field text not null,
  -- Folded for fields without case and accents (geo, license_type, payment_method, platform, supplier_brand).
  value text collate "C" not null,
  -- Number of search rows with this term, for totals of one filter and facets without filters. 0: none any more.
  rows bigint not null default 0,
  constraint search_terms_pkey PRIMARY KEY (id),
  constraint search_terms_subject_field_value_key UNIQUE (subject, field, value),
  constraint search_terms_subject_check CHECK ((subject = ANY (ARRAY['company'::text, 'license'::text])))
);

-- All present and former words of the documents; unknown words are compared with them.
create table search_words (
  subject text not null,
  word text collate "C" not null,
  constraint search_words_pkey PRIMARY KEY (subject, word),
  constraint search_words_subject_check CHECK ((subject = ANY (ARRAY['company'::text, 'license'::text])))
);
CREATE INDEX company_words_by_part ON search_words USING gin (word gin_trgm_ops) WHERE (subject = 'company'::text);
CREATE INDEX license_words_by_part ON search_words USING gin (word gin_trgm_ops) WHERE (subject = 'license'::text);
CREATE INDEX search_words_by_beginning ON search_words USING btree (subject, char_length(word), word);
CREATE INDEX search_words_by_end ON search_words USING btree (subject, char_length(word), reverse(word));

create table sessions (
  session_sha256 bytea not null,
  user_id bigint not null,
  -- The account that the pages show; null: the first of the user.
  account_id bigint,
  -- The names of browser and system, from the user agent at the sign-in; null: unknown.
  browser text,
  created_at timestamp with time zone not null,
  -- The last sign-in or passkey. Sensitive changes need one of the last 15 minutes.
  proved_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  -- A form that waits for a confirmation, encrypted with a key from the session's id, which is not stored.
  draft bytea,
  draft_expires_at timestamp with time zone,
  constraint sessions_pkey PRIMARY KEY (session_sha256),
  constraint sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint sessions_browser_check CHECK ((char_length(browser) <= 100)),
  constraint sessions_check CHECK (((draft IS NULL) = (draft_expires_at IS NULL))),
  constraint sessions_session_sha256_check CHECK ((octet_length(session_sha256) = 32))
);
CREATE INDEX sessions_by_user ON sessions USING btree (user_id);

-- Applied settlements. The unique id prevents that a batch repeated after a lost connection is charged again. Purged by age.
create table settlements (
  settlement_id uuid not null,
  account_id bigint not null,
  kind text not null,
  credits bigint not null,
  settled_at timestamp with time zone not null,
  constraint settlements_pkey PRIMARY KEY (settlement_id)
);

-- One row, written by /readyz of all processes on this database.
create table settling_probes (
  -- Always true.
  only_row boolean not null default true,
  -- When a probe last succeeded.
  probed_at timestamp with time zone not null,
  constraint settling_probes_pkey PRIMARY KEY (only_row),
  constraint settling_probes_only_row_check CHECK (only_row)
);

create table sign_in_links (
  link_sha256 bytea not null,
  user_id bigint not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint sign_in_links_pkey PRIMARY KEY (link_sha256),
  constraint sign_in_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint sign_in_links_link_sha256_check CHECK ((octet_length(link_sha256) = 32))
);
CREATE INDEX sign_in_links_by_user ON sign_in_links USING btree (user_id);

-- Derived: Signals of a feed by kind and day of occurrence (UTC), with their first and last number. Register feeds have platform 0; the platform feed has empty market and stream.
create table signal_counts (
  feed text not null,
  market text not null,
  stream text not null,
  event_type text not null,
  platform_id bigint not null,
  day date not null,
  signals bigint not null,
  first_number bigint not null,
  last_number bigint not null,
  constraint signal_counts_pkey PRIMARY KEY (feed, market, stream, event_type, platform_id, day),
  constraint signal_counts_feed_check CHECK ((feed = ANY (ARRAY['register_changes'::text, 'market_entries'::text, 'platform_sites'::text])))
);
CREATE INDEX signal_counts_of_platform ON signal_counts USING btree (platform_id, day) WHERE (feed = 'platform_sites'::text);

-- Derived: signal_counts by month (UTC).
create table signal_months (
  feed text not null,
  market text not null,
  stream text not null,
  event_type text not null,
  platform_id bigint not null,
  month date not null,
  signals bigint not null,
  first_number bigint not null,
  last_number bigint not null,
  constraint signal_months_pkey PRIMARY KEY (feed, market, stream, event_type, platform_id, month),
  constraint signal_months_feed_check CHECK ((feed = ANY (ARRAY['register_changes'::text, 'market_entries'::text, 'platform_sites'::text]))),
  constraint signal_months_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric))
);
CREATE INDEX signal_months_of_platform ON signal_months USING btree (platform_id, month) WHERE (feed = 'platform_sites'::text);

-- One row. A transaction that numbers Signals updates it last, and so locks it until the commit.
create table signal_sequence (
  last_number bigint not null
);

-- Derived: signal_counts without days, so that pages without dates need not sum them.
create table signal_totals (
  feed text not null,
  market text not null,
  stream text not null,
  event_type text not null,
  platform_id bigint not null,
  signals bigint not null,
  first_number bigint not null,
  last_number bigint not null,
  constraint signal_totals_pkey PRIMARY KEY (feed, market, stream, event_type, platform_id),
  constraint signal_totals_feed_check CHECK ((feed = ANY (ARRAY['register_changes'::text, 'market_entries'::text, 'platform_sites'::text])))
);

-- Numbered from 1 without gaps in the order of commits (signal_sequence). Changed by recorded corrections only, never deleted: a cursor is a number and stays valid.
create table signals (
  number bigint not null,
  signal_ref text not null,
  type text not null,
  stream text,
  market text,
  -- The change as named in §6; for platform sites platform_first_observed.
  event_type text not null,
  -- license, licensee, authorisation, blocklist_entry; null for platform sites.
  record_kind text,
  record_key text,
  -- In both feeds: a new license of an operator (§4.1).
  is_market_entry boolean not null default false,
  platform_id bigint,
  domain_id bigint,
  company_id bigint,
  license_id bigint,
  published_legal_name text,
  -- The published legal name before the change; null: the same, or none.
  former_legal_name text,
  headline text not null,
  -- The published content, immutable: the license, its authorised domains, the changes; see features/signals/draft.ts.
  content jsonb not null,
  occurred_at timestamp with time zone not null,
  detected_at timestamp with time zone not null,
  last_corrected_at timestamp with time zone,
  snapshot_id bigint,
  -- The signal_ref that this Signal takes back, free of charge: its snapshot was discarded. null: none.
  correction_of text,
  -- Of a snapshot that was read as history: marked, and free of charge.
  is_backfill boolean not null default false,
  constraint signals_pkey PRIMARY KEY (number),
  constraint signals_signal_ref_key UNIQUE (signal_ref),
  constraint signals_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  constraint signals_correction_of_fkey FOREIGN KEY (correction_of) REFERENCES signals(signal_ref),
  constraint signals_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES domains(id),
  constraint signals_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id),
  constraint signals_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id),
  constraint signals_snapshot_id_fkey FOREIGN KEY (snapshot_id) REFERENCES register_snapshots(id),
  constraint market_entries_name_their_license CHECK (((NOT is_market_entry) OR ((record_kind = 'license'::text) AND (company_id IS NOT NULL) AND (license_id IS NOT NULL) AND (published_legal_name IS NOT NULL)))),
  constraint signals_check CHECK (((type = 'register_change'::text) = ((stream IS NOT NULL) AND (market IS NOT NULL) AND (platform_id IS NULL)))),
  constraint signals_check1 CHECK (((type = 'platform_new_site'::text) = ((platform_id IS NOT NULL) AND (domain_id IS NOT NULL)))),
  constraint signals_type_check CHECK ((type = ANY (ARRAY['register_change'::text, 'platform_new_site'::text])))
);
CREATE INDEX signals_market_entries ON signals USING btree (market, number) INCLUDE (occurred_at) WHERE is_market_entry;
CREATE UNIQUE INDEX signals_of_correction ON signals USING btree (correction_of) WHERE (correction_of IS NOT NULL);
CREATE INDEX signals_of_former_name ON signals USING btree (market, former_legal_name, number) WHERE (former_legal_name IS NOT NULL);
CREATE INDEX signals_of_name ON signals USING btree (market, published_legal_name, number) WHERE (published_legal_name IS NOT NULL);
CREATE INDEX signals_of_platform ON signals USING btree (platform_id, number) INCLUDE (occurred_at) WHERE (platform_id IS NOT NULL);
CREATE INDEX signals_of_record ON signals USING btree (stream, record_kind, record_key) WHERE (stream IS NOT NULL);
CREATE UNIQUE INDEX signals_of_site ON signals USING btree (platform_id, domain_id) WHERE (platform_id IS NOT NULL);
CREATE INDEX signals_of_stream ON signals USING btree (stream, event_type, number) INCLUDE (occurred_at) WHERE (stream IS NOT NULL);

-- Secrets that sign e.g. cursors; created at first use.
create table signing_secrets (
  purpose text not null,
  secret bytea not null,
  created_at timestamp with time zone not null default now(),
  constraint signing_secrets_pkey PRIMARY KEY (purpose)
);

-- What checks received. Private (§2.10), deleted after CAPTURE_RETENTION_DAYS.
create table site_captures (
  id bigint not null generated always as identity,
  check_id bigint not null,
  position integer not null,
  kind text not null,
  purpose text not null,
  url text not null,
  final_url text,
  status integer,
  headers jsonb not null,
  -- Failure, redirect chain and certificate.
  facts jsonb not null,
  -- SHA-256 of the unpacked body, which names its file; null: no body.
  body_hash bytea,
  truncated boolean not null,
  seen_at timestamp with time zone not null,
  constraint site_captures_pkey PRIMARY KEY (id),
  constraint site_captures_check_id_position_key UNIQUE (check_id, "position"),
  constraint site_captures_check_id_fkey FOREIGN KEY (check_id) REFERENCES site_checks(id),
  constraint site_captures_kind_check CHECK ((kind = ANY (ARRAY['dns'::text, 'rdap'::text, 'http'::text, 'dom'::text]))),
  constraint site_captures_purpose_check CHECK ((purpose = ANY (ARRAY['dns'::text, 'rdap'::text, 'robots'::text, 'root'::text, 'page'::text])))
);
CREATE INDEX site_captures_by_age ON site_captures USING btree (seen_at);
CREATE INDEX site_captures_of_body ON site_captures USING btree (body_hash) WHERE (body_hash IS NOT NULL);

-- Checks of sites. At most one of a domain is queued or running.
create table site_checks (
  id bigint not null generated always as identity,
  domain_id bigint not null,
  state text not null,
  -- Why it failed; null: it did not.
  reason text,
  asked_by text not null,
  -- The account that pays; null: a background refresh, staff, or a refresh of firmographics.
  account_id bigint,
  -- As of usage_records; null, too: no request asked for it.
  key_id bigint,
  -- Of `account_id`; released or settled when the check finishes.
  reservation_id uuid,
  -- Of the request that started it: its retry takes this check.
  idempotency_key text,
  -- Of the request that started it, for the ledger and the usage record.
  request_id text,
  client json,
  requested_at timestamp with time zone not null,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  -- How often a worker has claimed it.
  attempts integer not null default 0,
  -- The site had exactly one operator context then; null: not read yet.
  was_licensed boolean,
  -- The reading in force; null: not read yet.
  reading_id bigint,
  -- Of the refresh; null: not finished.
  credits_charged bigint,
  constraint site_checks_pkey PRIMARY KEY (id),
  constraint site_checks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint site_checks_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES domains(id),
  constraint site_checks_reading_id_fkey FOREIGN KEY (reading_id) REFERENCES site_readings(id),
  constraint site_checks_asked_by_check CHECK ((asked_by = ANY (ARRAY['request'::text, 'enrichment'::text, 'refresh'::text, 'staff'::text, 'firmographics'::text]))),
  constraint site_checks_check CHECK (((state = ANY (ARRAY['completed'::text, 'failed'::text])) = (finished_at IS NOT NULL))),
  constraint site_checks_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'failed'::text])))
);
CREATE INDEX site_checks_by_key ON site_checks USING btree (account_id, idempotency_key) WHERE (idempotency_key IS NOT NULL);
CREATE INDEX site_checks_of_domain ON site_checks USING btree (domain_id, finished_at);
CREATE INDEX site_checks_of_reading ON site_checks USING btree (reading_id);
CREATE UNIQUE INDEX site_checks_open ON site_checks USING btree (domain_id) WHERE (state = ANY (ARRAY['queued'::text, 'running'::text]));

-- Values that a reading found. Never updated; those of the reading in force of each check count.
create table site_findings (
  reading_id bigint not null,
  -- A section of §2.9, a component of the launch profile, or what another feature stores (platform, logo).
  section text collate "C" not null,
  value_key text collate "C" not null,
  domain_id bigint not null,
  value jsonb not null,
  rule text not null,
  strength integer not null,
  -- null: the capture was deleted after its retention.
  capture_id bigint,
  -- Of the capture, whenever it was read.
  seen_at timestamp with time zone not null,
  -- The matched text, for staff. At most 300 characters.
  snippet text,
  constraint site_findings_pkey PRIMARY KEY (reading_id, section, value_key),
  constraint site_findings_capture_id_fkey FOREIGN KEY (capture_id) REFERENCES site_captures(id) ON DELETE SET NULL,
  constraint site_findings_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES domains(id),
  constraint site_findings_reading_id_fkey FOREIGN KEY (reading_id) REFERENCES site_readings(id),
  constraint site_findings_strength_check CHECK (((strength >= 1) AND (strength <= 3)))
);
CREATE INDEX site_findings_of_capture ON site_findings USING btree (capture_id) WHERE (capture_id IS NOT NULL);
CREATE INDEX site_findings_of_domain ON site_findings USING btree (domain_id, section);

-- Readings of the captures of a check by one version of the rules.
create table site_readings (
  id bigint not null generated always as identity,
  check_id bigint not null,
  rules_version text not null,
  read_at timestamp with time zone not null,
  constraint site_readings_pkey PRIMARY KEY (id),
  constraint site_readings_check_id_rules_version_key UNIQUE (check_id, rules_version),
  constraint site_readings_check_id_fkey FOREIGN KEY (check_id) REFERENCES site_checks(id)
);

create table snapshot_decisions (
  id bigint not null generated always as identity,
  snapshot_ref text not null,
  decision text not null,
  reason text not null,
  email text not null,
  requested_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  -- Why it was refused; null: it was not, or is not finished.
  failure text,
  constraint snapshot_decisions_pkey PRIMARY KEY (id),
  constraint snapshot_decisions_decision_check CHECK ((decision = ANY (ARRAY['approve'::text, 'discard'::text])))
);
CREATE UNIQUE INDEX snapshot_decisions_open ON snapshot_decisions USING btree (snapshot_ref) WHERE (finished_at IS NULL);

create table summed_days (
  day date not null,
  constraint summed_days_pkey PRIMARY KEY (day)
);

create table summed_ledger_days (
  day date not null,
  constraint summed_ledger_days_pkey PRIMARY KEY (day)
);

-- Suppressions with their reason and effect. Without names.
create table suppression_decisions (
  id bigint not null generated always as identity,
  reason text not null,
  decided_at timestamp with time zone not null,
  contacts integer not null,
  -- Answers stored under an Idempotency-Key that named the person.
  stored_answers integer not null,
  -- Contacts removed from stored prospect lists.
  listed_contacts integer not null,
  constraint suppression_decisions_pkey PRIMARY KEY (id)
);

-- People who must not be stored or delivered: keyed hashes that cannot be reversed (docs/people.md).
create table suppressions (
  id bigint not null generated always as identity,
  decision_id bigint not null,
  handle text not null,
  -- A name is suppressed at one Company, and at the Companies it is merged into or split off to; null: an address or profile, everywhere.
  company_id bigint,
  -- HMAC-SHA-256 of the normalised handle, keyed by the signing secret `suppression`.
  digest bytea not null,
  constraint suppressions_pkey PRIMARY KEY (id),
  constraint suppressions_digest_handle_company_id_key UNIQUE NULLS NOT DISTINCT (digest, handle, company_id),
  constraint suppressions_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  constraint suppressions_decision_id_fkey FOREIGN KEY (decision_id) REFERENCES suppression_decisions(id),
  constraint suppressions_check CHECK (((handle = 'name'::text) = (company_id IS NOT NULL))),
  constraint suppressions_handle_check CHECK ((handle = ANY (ARRAY['email'::text, 'profile'::text, 'name'::text])))
);
CREATE INDEX suppressions_of_company ON suppressions USING btree (company_id) WHERE (company_id IS NOT NULL);

-- Sums of usage_records by day (UTC), for days in summed_days.
create table usage_days (
  account_id bigint not null,
  day date not null,
  endpoint text not null,
  key_id bigint not null,
  requests bigint not null,
  credits bigint not null,
  constraint usage_days_pkey PRIMARY KEY (account_id, day, endpoint, key_id),
  constraint usage_days_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);

-- The records of §2.15.
create table usage_records (
  usage_id bigint not null generated always as identity,
  account_id bigint not null,
  -- The API key of the request; null: the dashboard sent it.
  key_id bigint,
  requested_at timestamp with time zone not null,
  endpoint text not null,
  status integer not null,
  credits bigint not null,
  duration_ms integer not null,
  request_params json not null,
  -- settled, replayed, refused or none (nothing to charge).
  settlement_status text not null,
  source text not null,
  request_id text,
  client_version text,
  mcp_tool_name text,
  connector_session_id text,
  mcp_client_name text,
  mcp_client_version text,
  constraint usage_records_pkey PRIMARY KEY (account_id, requested_at, usage_id)
) partition by RANGE (requested_at);
CREATE INDEX usage_records_of_mcp ON ONLY usage_records USING btree (account_id, mcp_client_name, requested_at DESC, usage_id DESC) WHERE (mcp_client_name IS NOT NULL);
CREATE INDEX usage_records_refused ON ONLY usage_records USING btree (account_id, requested_at DESC, usage_id DESC, status) WHERE (status >= 400);

create table users (
  id bigint not null generated always as identity,
  user_ref text not null,
  email text not null,
  name text,
  -- Granted and removed by command only.
  is_staff boolean not null default false,
  created_at timestamp with time zone not null,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_email_key UNIQUE (email),
  constraint users_user_ref_key UNIQUE (user_ref),
  constraint users_email_check CHECK ((email = lower(email)))
);

-- Numbered from 1 without gaps in the order of commits, under the lock of facts. Never deleted: a cursor is a number and stays valid.
create table verdict_changes (
  number bigint not null,
  change_ref text not null,
  domain_id bigint not null,
  verdict_before text not null,
  -- §2.7 as it was sent, without what regimes add.
  licensed_by_before json not null,
  blocked_by_before json not null,
  verdict_after text not null,
  licensed_by_after json not null,
  blocked_by_after json not null,
  -- All markets of both sides.
  markets text[] not null,
  -- coverage: a first snapshot, a backfill, a first import, or a first snapshot after a gap: no news.
  cause text not null,
  -- The service had read a wrong file, or read it wrongly.
  is_correction boolean not null default false,
  -- The change that a discard takes back; null: none.
  correction_of text,
  is_free boolean not null generated always as ((is_correction OR (cause = 'coverage'::text))) stored,
  -- The Signals of the same snapshot that name the domain.
  signal_refs text[] not null default '{}'::text[],
  occurred_at timestamp with time zone not null,
  detected_at timestamp with time zone not null,
  -- The event of the history (dataset_events) that changed the facts.
  event bigint not null default current_event(),
  constraint verdict_changes_pkey PRIMARY KEY (number),
  constraint verdict_changes_change_ref_key UNIQUE (change_ref),
  constraint verdict_changes_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES domains(id),
  constraint verdict_changes_cause_check CHECK ((cause = ANY (ARRAY['coverage'::text, 'register'::text, 'import'::text, 'staff'::text])))
);
CREATE INDEX verdict_changes_by_day ON verdict_changes USING btree (occurred_at, number);
CREATE INDEX verdict_changes_by_market ON verdict_changes USING gin (markets);
CREATE INDEX verdict_changes_by_verdict_after ON verdict_changes USING btree (verdict_after, number);
CREATE INDEX verdict_changes_by_verdict_before ON verdict_changes USING btree (verdict_before, number);
CREATE INDEX verdict_changes_of_domain ON verdict_changes USING btree (domain_id, number);
CREATE INDEX verdict_changes_of_event ON verdict_changes USING btree (event);

CREATE OR REPLACE FUNCTION companies_of_domain(of_domain bigint)
 RETURNS TABLE(company_id bigint, relation text, brand text, known_from timestamp with time zone)
 LANGUAGE sql
 STABLE
AS $function$
  select link.company_id, link.relation, link.brand, link.known_from
    from domain_companies link
   where link.domain_id = of_domain and link.known_to is null
   union all
  select holder.company_id, 'licensee', null, listed.known_from
    from (select * from authorisations where domain_id = of_domain offset 0) listed
   cross join lateral (
     -- a source that names only the license names its holder by that
     select coalesce(listed.company_id, (select license.company_id from licenses license where license.id = listed.license_id))
   ) holder (company_id)
   where listed.known_to is null and holder.company_id is not null
$function$;

CREATE OR REPLACE FUNCTION current_event()
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(nullif(current_setting('baize.event', true), '')::bigint, 0)
$function$;
comment on function current_event() is 'The number of the event that this transaction will record, set with the lock of facts; 0 without the lock.';

CREATE OR REPLACE FUNCTION date_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update dataset_events
     set committed_at = greatest(
           date_trunc('milliseconds', clock_timestamp()),
           (select max(committed_at) from dataset_events where number < new.number)
         )
   where number = new.number;
  return null;
end $function$;
comment on function date_event() is 'Dates an event as the last step of its transaction, which has the lock of facts until the commit.';

CREATE OR REPLACE FUNCTION domains_of_company(of_company bigint)
 RETURNS TABLE(domain_id bigint, relation text, known_from timestamp with time zone)
 LANGUAGE sql
 STABLE
AS $function$
  select link.domain_id, link.relation, link.known_from
    from domain_companies link
   where link.company_id = of_company and link.known_to is null
   union all
  select listed.domain_id, 'licensee', listed.known_from
    from (select * from authorisations where company_id = of_company offset 0) listed
   where listed.known_to is null
   union all
  select covered.domain_id, 'licensee', covered.known_from
    from licenses license
   cross join lateral (select * from authorisations where license_id = license.id offset 0) covered
   where license.company_id = of_company and covered.company_id is null and covered.known_to is null
$function$;

CREATE OR REPLACE FUNCTION ensure_month_partitions(from_month date, months integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  parent record;
  month date;
  child text;
  starts timestamptz;
  ends timestamptz;
  made int := 0;
begin
  perform pg_advisory_xact_lock(hashtext('ensure_month_partitions'), hashtext(current_schema()));
  for parent in
    select * from (values ('ledger_entries', 'recorded_at'), ('usage_records', 'requested_at')) as parents (name, moment)
  loop
    for step in 0 .. months - 1 loop
      month := (date_trunc('month', from_month::timestamp) + make_interval(months => step))::date;
      child := parent.name || '_' || to_char(month, 'YYYY_MM');
      continue when to_regclass(child) is not null;
      starts := month::timestamp at time zone 'UTC';
      ends := (month + interval '1 month') at time zone 'UTC';
      execute format('create table %I (like %I including defaults)', child, parent.name);
      -- Rows of the month move from the default partition: PostgreSQL attaches no partition whose rows it contains.
      execute format(
        'with moved as (delete from %I where %I >= %L and %I < %L returning *) insert into %I select * from moved',
        parent.name || '_default', parent.moment, starts, parent.moment, ends, child);
      execute format(
        'alter table %I attach partition %I for values from (%L) to (%L)', parent.name, child, starts, ends);
      made := made + 1;
    end loop;
  end loop;
  return made;
end $function$;
comment on function ensure_month_partitions(from_month date, months integer) is 'Creates the missing partitions of these months (UTC); returns how many it created.';

CREATE OR REPLACE FUNCTION event_at(known_at timestamp with time zone)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  select number from dataset_events where committed_at <= known_at order by committed_at desc, number desc limit 1
$function$;
comment on function event_at(known_at timestamp with time zone) is 'The last event that was committed at a time; null: none.';

CREATE OR REPLACE FUNCTION fold_license_number(number text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$ select upper(regexp_replace(number, '[\s\u0085\u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff]+', '', 'g')) $function$;
comment on function fold_license_number(number text) is 'A license number without blanks, in capitals. Spellings of one number become equal.';

CREATE OR REPLACE FUNCTION fold_names(names text[])
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  one_name text;
  one_key text;
  keys text[] := '{}';
begin
  foreach one_name in array coalesce(names, '{}') loop
    if one_name ~ '[^ -~]' then
      -- The whole function as one query: an index may not call another function of this schema.
      return (
        select coalesce(array_agg(distinct folded.name) filter (where folded.name <> ''), '{}')
          from (
            select left(
                     case
                       -- nearly all names end here, for looking each letter up in a list is slow
                       when octet_length(plain.name) = length(plain.name) then plain.name
                       else replace(replace(replace(replace(
                              translate(
                                plain.name,
                                'ØøŁłĐđÐðĦħŦŧıÆŒẞÞŊƁƉƊƏƐƑƔƖƘƆƲƳ'
                                  || 'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣςΤΥΦΧΨΩ'
                                  || 'АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐҒҖҚҜҠҢҮҰҲҶҸҺӘӨ'
                                  || 'ԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖ',
                                'oollddddhhttiæœßþŋɓɖɗəɛƒɣɩƙɔʋƴ'
                                  || 'αβγδεζηθικλμνξοπρσστυφχψω'
                                  || 'абвгдежзиклмнопрстуфхцчшщъыьэюяђєѕіјљњћџґғҗқҝҡңүұҳҷҹһәө'
                                  || 'աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ'
                              ),
                              'æ', 'ae'), 'œ', 'oe'), 'ß', 'ss'), 'þ', 'th')
                     end,
                     500
                   ) collate "C" as name
              from (
                select lower(
                         regexp_replace(
                           normalize(listed.name, nfkd),
                           '[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u0001-\u0020\u007f-\u009f\u00ad\u1680\u180e\u200b-\u200f\u2028-\u202f\u2060-\u2064\ufe00-\ufe0f\ufeff]+',
                           '', 'g'
                         ) collate "C"
                       ) as name
                  from unnest(names) as listed (name)
                offset 0
              ) plain
          ) folded
      );
    end if;
    one_key := left(lower(replace(one_name, ' ', '') collate "C"), 500);
    if one_key <> '' and one_key <> all (keys) then
      keys := keys || one_key;
    end if;
  end loop;
  if cardinality(keys) < 2 then
    return keys;
  elsif cardinality(keys) = 2 then
    return case when keys[1] < keys[2] collate "C" then keys else array[keys[2], keys[1]] end;
  end if;
  return array(select name from unnest(keys) as name order by name collate "C");
end $function$;
comment on function fold_names(names text[]) is 'Names without case, accents and blanks. Spellings of one name become equal. Empty names are omitted; names are cut to the 500 characters that an index can store.';

CREATE OR REPLACE FUNCTION forget_search_counts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  emptied constant text := split_part(tg_table_name, '_', 1);
begin
  update search_terms set rows = 0 where subject = emptied and rows <> 0;
  delete from search_stale where subject = emptied;
  update dataset_version set version = version + 1;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION hasten_job(key text, priority integer)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if to_regclass('graphile_worker.jobs') is not null then
    perform graphile_worker.reschedule_jobs(
              array(
                select job.id
                  from graphile_worker.jobs job
                 where job.key = hasten_job.key and job.priority > hasten_job.priority),
              priority := hasten_job.priority);
  end if;
exception
  when undefined_function then null; -- not created yet, or not with these parameters
end $function$;
comment on function hasten_job(key text, priority integer) is 'Lowers the priority number of a waiting job, never raises it. A running one is left.';

CREATE OR REPLACE FUNCTION keep_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;
comment on function keep_version() is 'Numbers a row that is closed. Keeps the version of a row that is overwritten, reopened or deleted; not without the lock of facts.';

CREATE OR REPLACE FUNCTION license_number_key(number text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
    select regexp_replace(
             upper(regexp_replace(number, '[\s\u0085\u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff]+', '', 'g')),
             '^(\d+-[A-Z]+-\d+)-\d+$', '\1')
  $function$;
comment on function license_number_key(number text) is 'The folded number without a version counter as the UKGC prints one, for look-ups. Numbers of other registers that end alike are distinguished afterwards.';

CREATE OR REPLACE FUNCTION note_logo_brands_linked()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into logo_stale_companies (company_id)
  select distinct company_id from came where brand is not null and known_to is null order by company_id
  on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION note_logo_brands_relinked()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into logo_stale_companies (company_id)
  select distinct company_id
    from (
      (
        select id, company_id, brand, known_to from came where brand is not null
        except
        select id, company_id, brand, known_to from gone
      )
      union all
      (
        select id, company_id, brand, known_to from gone where brand is not null
        except
        select id, company_id, brand, known_to from came
      )
    ) changed
   order by company_id
  on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION note_logo_companies_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into logo_stale_companies (company_id)
  select id
    from (
      select id, company_name, legal_entity, role, brands, merged_into from came
      except
      select id, company_name, legal_entity, role, brands, merged_into from gone
    ) changed
   order by id
  on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION note_logo_companies_made()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into logo_stale_companies (company_id)
  select id from came where company_name is not null or legal_entity is not null or brands <> '{}' order by id
  on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION note_logo_names_seen()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into logo_names (kind, name)
  select distinct case section when 'payment_methods' then 'payment_method' else 'supplier_brand' end as kind, value_key
    from came
   where section in ('payment_methods', 'supplier_brands')
   order by kind, value_key
  on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION note_stale_authorisations()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into search_stale (subject, id)
    select distinct noted.subject, noted.id
      from after_rows added
     cross join lateral (
       values ('license', added.license_id),
              ('company', coalesce(added.company_id, (select company_id from licenses where id = added.license_id)))
     ) noted (subject, id)
     where added.known_to is null and noted.id is not null
     order by 1, 2
    on conflict do nothing;
    return null;
  end if;
  insert into search_stale (subject, id)
  select distinct noted.subject, noted.id
    from (
      (
        select id, license_id, company_id, domain_id, market, status, counts, known_to from after_rows
        except
        select id, license_id, company_id, domain_id, market, status, counts, known_to from before_rows
      )
      union all
      (
        select id, license_id, company_id, domain_id, market, status, counts, known_to from before_rows
        except
        select id, license_id, company_id, domain_id, market, status, counts, known_to from after_rows
      )
    ) changed
   cross join lateral (
     values ('license', changed.license_id),
            ('company', coalesce(changed.company_id, (select company_id from licenses where id = changed.license_id)))
   ) noted (subject, id)
   where noted.id is not null
   order by 1, 2
  on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION note_stale_companies()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into search_stale (subject, id)
    select 'company', id from after_rows order by id
    on conflict do nothing;
    return null;
  end if;
  insert into search_stale (subject, id)
  select 'company', id
    from (select * from after_rows except select * from before_rows) changed
   order by id
  on conflict do nothing;
  insert into search_stale (subject, id)
  select 'license', license.id
    from (
      select id, company_ref, company_name, legal_entity, brands, aliases, merged_into from after_rows
      except
      select id, company_ref, company_name, legal_entity, brands, aliases, merged_into from before_rows
    ) changed
   cross join lateral (select id from licenses where company_id = changed.id offset 0) license
   order by license.id
  on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION note_stale_contacts()
 RETURNS trigger
 LANGUAGE plpgsql
 SET jit TO 'off'
AS $function$
begin
  if tg_op = 'UPDATE' then
    insert into search_stale (subject, id)
    select distinct 'company', company_id
      from (
        (
          select id, company_id, coalesce(email, linkedin_url) is not null as deliverable from after_rows
          except
          select id, company_id, coalesce(email, linkedin_url) is not null from before_rows
        )
        union all
        (
          select id, company_id, coalesce(email, linkedin_url) is not null from before_rows
          except
          select id, company_id, coalesce(email, linkedin_url) is not null from after_rows
        )
      ) changed
     order by 2
    on conflict do nothing;
    return null;
  end if;
  insert into search_stale (subject, id)
  select distinct 'company', company_id from changed_rows order by 2
  on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION note_stale_domain_companies()
 RETURNS trigger
 LANGUAGE plpgsql
 SET jit TO 'off'
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into search_stale (subject, id)
    select distinct 'company', company_id from after_rows where known_to is null order by 2
    on conflict do nothing;
    return null;
  end if;
  insert into search_stale (subject, id)
  select distinct 'company', company_id
    from (
      (
        select id, domain_id, company_id, relation, known_from, known_to from after_rows
        except
        select id, domain_id, company_id, relation, known_from, known_to from before_rows
      )
      union all
      (
        select id, domain_id, company_id, relation, known_from, known_to from before_rows
        except
        select id, domain_id, company_id, relation, known_from, known_to from after_rows
      )
    ) changed
   order by 2
  on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION note_stale_domains()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
AS $function$
begin
  insert into search_stale (subject, id)
  select distinct 'company', link.company_id
    from (
      select id, domain_ref, domain, inferred_geo, last_observed_at, last_read_at, last_checked_at, platform_id,
             payment_categories
        from after_rows
      except
      select id, domain_ref, domain, inferred_geo, last_observed_at, last_read_at, last_checked_at, platform_id,
             payment_categories
        from before_rows
    ) changed
   cross join lateral companies_of_domain(changed.id) link
   order by 2
  on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION note_stale_firmographics()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
AS $function$
begin
  insert into search_stale (subject, id)
  select distinct 'company', link.company_id
    from changed_rows changed
   cross join lateral companies_of_domain(changed.domain_id) link
   order by 2
  on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION note_stale_license_states()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into search_stale (subject, id)
    select distinct noted.subject, noted.id
      from after_rows state
     cross join lateral (select id, company_id from licenses where id = state.license_id offset 0) license
     cross join lateral (values ('license', license.id), ('company', license.company_id)) noted (subject, id)
     where state.known_to is null and noted.id is not null
     order by 1, 2
    on conflict do nothing;
    return null;
  end if;
  insert into search_stale (subject, id)
  select distinct noted.subject, noted.id
    from (
      select id, license_id, license_number, status, license_type, issued_at, expires_at, known_to from after_rows
      except
      select id, license_id, license_number, status, license_type, issued_at, expires_at, known_to from before_rows
    ) changed
   cross join lateral (select id, company_id from licenses where id = changed.license_id offset 0) license
   cross join lateral (values ('license', license.id), ('company', license.company_id)) noted (subject, id)
   where noted.id is not null
   order by 1, 2
  on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION note_stale_licenses()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into search_stale (subject, id)
    select 'license', id from after_rows
    union
    select 'company', company_id from after_rows where company_id is not null
     order by 1, 2
    on conflict do nothing;
    return null;
  end if;
  insert into search_stale (subject, id)
  select distinct noted.subject, noted.id
    from (
      (
        select id, license_ref, jurisdiction, company_id from after_rows
        except
        select id, license_ref, jurisdiction, company_id from before_rows
      )
      union all
      (
        select id, license_ref, jurisdiction, company_id from before_rows
        except
        select id, license_ref, jurisdiction, company_id from after_rows
      )
    ) changed
   cross join lateral (values ('license', changed.id), ('company', changed.company_id)) noted (subject, id)
   where noted.id is not null
   order by 1, 2
  on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION note_stale_observations()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
AS $function$
begin
  if tg_op = 'UPDATE' then
    insert into search_stale (subject, id)
    select distinct 'company', link.company_id
      from (
        select distinct domain_id
          from (
            select domain_id, section, value_key, value, last_seen_at from after_rows
            except
            select domain_id, section, value_key, value, last_seen_at from before_rows
          ) changed
         where section <> 'related_domains'
      ) observed
     cross join lateral companies_of_domain(observed.domain_id) link
     order by 2
    on conflict do nothing;
    return null;
  end if;
  insert into search_stale (subject, id)
  select distinct 'company', link.company_id
    from (select distinct domain_id from changed_rows where section <> 'related_domains') observed
   cross join lateral companies_of_domain(observed.domain_id) link
   order by 2
  on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION note_stale_platforms()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
AS $function$
begin
  insert into search_stale (subject, id)
  select distinct 'company', link.company_id
    from (
      select id, platform_key, name, aliases, reviewed_at is not null as reviewed from after_rows
      except
      select id, platform_key, name, aliases, reviewed_at is not null from before_rows
    ) changed
   cross join lateral (select id from domains where platform_id = changed.id offset 0) domain
   cross join lateral companies_of_domain(domain.id) link
   order by 2
  on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION number_facet_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.facets_change := nextval('search_facet_changes');
  return new;
end $function$;

CREATE OR REPLACE FUNCTION probe_settling()
 RETURNS void
 LANGUAGE plpgsql
 SET work_mem TO '64kB'
AS $function$
begin
  update settling_probes set probed_at = clock_timestamp();
  perform count(*)
     from (select repeat(md5(n::text), 8) as filler from generate_series(1, 1000) n order by filler offset 0) spilled;
end
$function$;

CREATE OR REPLACE FUNCTION queue_job(task text, key text, payload json, attempts_max integer, priority integer)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  -- The first worker creates the queue, in several steps. A row that was written without a job is found by that worker.
  if to_regclass('graphile_worker.jobs') is not null then
    perform graphile_worker.add_job(
              identifier := queue_job.task,
              payload := queue_job.payload,
              max_attempts := queue_job.attempts_max,
              job_key := queue_job.key,
              priority := queue_job.priority);
  end if;
exception
  when undefined_function then null; -- not created yet, or not with these parameters
end $function$;
comment on function queue_job(task text, key text, payload json, attempts_max integer, priority integer) is 'Replaces a waiting job with its key; beside a running one a new job is queued. Lower priorities start first.';

CREATE OR REPLACE FUNCTION settle(accounts bigint[], skip_busy boolean, settled_at timestamp with time zone, items settle_items, lines settle_lines, usages settle_usages, writes settle_writes, sessions settle_sessions)
 RETURNS SETOF settle_outcome
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  -- 2^53 - 1: JSON carries no larger figure exactly.
  granted_max constant bigint := 9007199254740991;
  -- Local arrays are read by position in constant time, fields of a composite in linear time.
  item_account constant int[] := items.account;
  item_kind constant text[] := items.kind;
  item_settlement constant uuid[] := items.settlement_id;
  item_credits constant bigint[] := items.credits;
  item_credits_min constant bigint[] := items.credits_min;
  item_reservation constant uuid[] := items.reservation_id;
  item_lease_until constant timestamptz[] := items.lease_until;
  item_note constant text[] := items.note;
  item_request constant text[] := items.request_id;
  item_key constant text[] := items.idempotency_key;
  item_fingerprint constant bytea[] := items.fingerprint;
  item_status constant int[] := items.status;
  item_body constant text[] := items.body;
  item_count constant int := cardinality(item_account);
  locked bigint[];
  granted_now bigint[];
  used_now bigint[];
  reserved_now bigint[];
  changed boolean[] := array_fill(false, array[cardinality(accounts)]);
  outcomes text[] := array_fill(null::text, array[item_count]);
  moved bigint[] := array_fill(0::bigint, array[item_count]);
  from_reservation bigint[] := array_fill(null::bigint, array[item_count]);
  stored_status int[];
  stored_body text[];
  has_outdated_key boolean := false;
  session_of int[];
  session_max bigint[];
  session_spent bigint[];
  found_row record;
  account int;
  free bigint;
begin
  -- 1. Lock the accounts in id order and read their figures. A row that was waited for is read as it is after the wait.
  if skip_busy then
    select array_agg(account_id), array_agg(granted), array_agg(used), array_agg(reserved)
      into locked, granted_now, used_now, reserved_now
      from (
        select balance.account_id, balance.granted, balance.used, balance.reserved
          from account_balances balance
         where balance.account_id = any (accounts)
         order by balance.account_id
           for update skip locked
      ) locked_balances;
  else
    select array_agg(account_id), array_agg(granted), array_agg(used), array_agg(reserved)
      into locked, granted_now, used_now, reserved_now
      from (
        select balance.account_id, balance.granted, balance.used, balance.reserved
          from account_balances balance
         where balance.account_id = any (accounts)
         order by balance.account_id
           for update
      ) locked_balances;
  end if;

  -- 2. Unknown and busy accounts have no figures: put those of the others in their positions.
  if locked is distinct from accounts then
    select array_agg(granted_now[place] order by position),
           array_agg(used_now[place] order by position),
           array_agg(reserved_now[place] order by position)
      into granted_now, used_now, reserved_now
      from (
        select wanted.position, array_position(locked, wanted.account_id) as place
          from unnest(accounts) with ordinality as wanted (account_id, position)
      ) placed;
    if skip_busy then
      for item in 1 .. item_count loop
        if locked is null or not accounts[item_account[item]] = any (locked) then
          outcomes[item] := 'busy';
        end if;
      end loop;
    end if;
  end if;

  -- 3. Settlement ids that exist already: the batch was sent again after a lost connection.
  for found_row in
    select sent.item::int as item, settlement.credits
      from unnest(item_settlement) with ordinality as sent (settlement_id, item)
     cross join lateral (
       select credits from settlements where settlement_id = sent.settlement_id offset 0
     ) settlement
  loop
    outcomes[found_row.item] := 'settled';
    moved[found_row.item] := found_row.credits;
  end loop;

  -- 4. Idempotency keys with a response of the last 7 days.
  if cardinality(item_key) > 0 then
    stored_status := array_fill(null::int, array[item_count]);
    stored_body := array_fill(null::text, array[item_count]);
    for found_row in
      select sent.item::int as item, record.fingerprint, record.status, record.body,
             record.created_at <= settle.settled_at - interval '7 days' as outdated
        from unnest(item_key) with ordinality as sent (idempotency_key, item)
       cross join lateral (
         select *
           from idempotency_records
          where account_id = accounts[item_account[sent.item]]
            and idempotency_key = sent.idempotency_key
         offset 0
       ) record
       where sent.idempotency_key is not null
    loop
      if outcomes[found_row.item] is not null then
        continue;
      elsif found_row.outdated then
        has_outdated_key := true;
      elsif found_row.fingerprint = item_fingerprint[found_row.item] then
        outcomes[found_row.item] := 'replayed';
        stored_status[found_row.item] := found_row.status;
        stored_body[found_row.item] := found_row.body;
      else
        outcomes[found_row.item] := 'reused';
      end if;
    end loop;
  end if;

  -- 5. Reservations to settle from or close. A released one is not found. They are locked, so that a renewal is either
  --    seen here or finds its reservation gone.
  if cardinality(item_reservation) > 0 then
    for found_row in
      select sent.item::int as item, reservation.credits
        from unnest(item_reservation) with ordinality as sent (reservation_id, item)
       cross join lateral (
         select lease.credits
           from reservations lease
          where lease.reservation_id = sent.reservation_id
            and lease.account_id = accounts[item_account[sent.item]]
            and (item_kind[sent.item] <> 'release' or lease.leased_until < item_lease_until[sent.item])
            for update
       ) reservation
    loop
      from_reservation[found_row.item] := found_row.credits;
    end loop;
  end if;

  -- 6. What the items' sessions have spent.
  if cardinality(sessions.item) > 0 then
    for found_row in
      select sent.item, sent.credits_max, coalesce(session.spent, 0) as spent,
             dense_rank() over (order by item_account[sent.item], sent.session_id)::int as place
        from unnest(sessions.item, sessions.session_id, sessions.credits_max)
          as sent (item, session_id, credits_max)
        left join lateral (
          select spent
            from mcp_sessions
           where account_id = accounts[item_account[sent.item]]
             and session_id = sent.session_id
          offset 0
        ) session on true
    loop
      session_of[found_row.item] := found_row.place;
      session_max[found_row.item] := found_row.credits_max;
      session_spent[found_row.place] := found_row.spent;
    end loop;
  end if;

  -- 7. Decide the new items in order, against the running balance.
  for item in 1 .. item_count loop
    if outcomes[item] is not null then
      continue;
    end if;
    account := item_account[item];
    if used_now[account] is null then
      outcomes[item] := 'unknown_account';
      continue;
    end if;
    -- null where no quota is enforced
    free := granted_now[account] - used_now[account] - reserved_now[account] + coalesce(from_reservation[item], 0);
    if item_kind[item] = 'grant' and granted_now[account] + item_credits[item] > granted_max then
      outcomes[item] := 'beyond_bounds';
      continue;
    elsif item_kind[item] = 'grant' then
      granted_now[account] := granted_now[account] + item_credits[item];
      moved[item] := item_credits[item];
    elsif item_kind[item] = 'reserve' then
      moved[item] := least(item_credits[item], coalesce(free, item_credits[item]));
      if moved[item] < item_credits_min[item] then
        moved[item] := 0;
        outcomes[item] := 'quota_exceeded';
        continue;
      end if;
      reserved_now[account] := reserved_now[account] + moved[item];
    elsif item_kind[item] = 'release' and from_reservation[item] is null then
      outcomes[item] := 'not_released';
      continue;
    elsif session_spent[session_of[item]] + item_credits[item] > session_max[item] then
      outcomes[item] := 'budget_exceeded';
      continue;
    elsif free < greatest(item_credits[item], item_credits_min[item]) then
      outcomes[item] := 'quota_exceeded';
      continue;
    else
      used_now[account] := used_now[account] + item_credits[item];
      reserved_now[account] := reserved_now[account] - coalesce(from_reservation[item], 0);
      moved[item] := item_credits[item];
      if session_of[item] is not null then
        session_spent[session_of[item]] := session_spent[session_of[item]] + item_credits[item];
      end if;
      if from_reservation[item] is not null then
        for other in item + 1 .. item_count loop
          if item_reservation[other] = item_reservation[item] then
            from_reservation[other] := null;
          end if;
        end loop;
      end if;
    end if;
    changed[account] := true;
    outcomes[item] := 'new';
  end loop;

  -- 8. Write the new items.
  insert into settlements (settlement_id, account_id, kind, credits, settled_at)
  select item_settlement[item], accounts[item_account[item]], item_kind[item], moved[item], settle.settled_at
    from generate_subscripts(outcomes, 1) as item
   where outcomes[item] = 'new';

  insert into ledger_entries
    (account_id, settlement_id, kind, price_key, units, credits, request_id, note, recorded_at)
  select accounts[item_account[line.item]], item_settlement[line.item], 'charge', line.price_key, line.units,
         line.credits, item_request[line.item], item_note[line.item], settle.settled_at
    from unnest(lines.item, lines.price_key, lines.units, lines.credits) as line (item, price_key, units, credits)
   where outcomes[line.item] = 'new';

  if 'grant' = any (item_kind) then
    insert into ledger_entries (account_id, settlement_id, kind, credits, request_id, note, recorded_at)
    select accounts[item_account[item]], item_settlement[item], 'grant', moved[item],
           item_request[item], item_note[item], settle.settled_at
      from generate_subscripts(outcomes, 1) as item
     where outcomes[item] = 'new' and item_kind[item] = 'grant';
  end if;

  if 'reserve' = any (item_kind) then
    insert into reservations (reservation_id, account_id, credits, purpose, leased_until, created_at)
    select item_settlement[item], accounts[item_account[item]], moved[item],
           item_note[item], item_lease_until[item], settle.settled_at
      from generate_subscripts(outcomes, 1) as item
     where outcomes[item] = 'new' and item_kind[item] = 'reserve';
  end if;

  if cardinality(sessions.item) > 0 then
    insert into mcp_sessions (account_id, session_id, spent, last_charged_at)
    select accounts[item_account[sent.item]], sent.session_id, sum(moved[sent.item]), settle.settled_at
      from unnest(sessions.item, sessions.session_id) as sent (item, session_id)
     where outcomes[sent.item] = 'new' and moved[sent.item] > 0
     group by accounts[item_account[sent.item]], sent.session_id
    on conflict (account_id, session_id)
      do update set spent = mcp_sessions.spent + excluded.spent, last_charged_at = excluded.last_charged_at;
  end if;

  if has_outdated_key then
    delete from idempotency_records record
     using generate_subscripts(outcomes, 1) as item
     where outcomes[item] = 'new'
       and record.account_id = accounts[item_account[item]]
       and record.idempotency_key = item_key[item]
       and record.created_at <= settle.settled_at - interval '7 days';
  end if;

  if stored_body is not null then
    insert into idempotency_records
      (account_id, idempotency_key, fingerprint, settlement_id, status, body, credits, created_at)
    select accounts[item_account[item]], item_key[item], item_fingerprint[item], item_settlement[item],
           item_status[item], item_body[item], moved[item], settle.settled_at
      from generate_subscripts(outcomes, 1) as item
     where outcomes[item] = 'new' and item_key[item] is not null;
  end if;

  if cardinality(item_reservation) > 0 then
    delete from reservations
     where reservation_id = any (array(
       select item_reservation[item]
         from generate_subscripts(outcomes, 1) as item
        where outcomes[item] = 'new' and from_reservation[item] is not null
     ));
  end if;

  if cardinality(writes.item) > 0 then
    for found_row in
      select write.*, usages.client[array_position(usages.item, write.item)] as client
        from unnest(writes.item, writes.writer, writes.data) as write (item, writer, data)
       where outcomes[write.item] = 'new'
    loop
      -- The prefix is the allow-list: no other function can be called by name.
      execute format('select %I($1, $2, $3, $4)', 'write_charged_' || found_row.writer)
        using accounts[item_account[found_row.item]], item_request[found_row.item], found_row.client, found_row.data;
    end loop;

    -- The first worker creates the queue, in several steps. A row that was written without a job is found by that worker.
    if to_regclass('graphile_worker.jobs') is not null then
      begin
        perform graphile_worker.add_job(
                  identifier := write.job ->> 'task',
                  payload := (write.job -> 'payload')::json,
                  max_attempts := (write.job ->> 'attempts_max')::int,
                  job_key := write.job ->> 'key')
           from unnest(writes.item, writes.job) as write (item, job)
          where outcomes[write.item] = 'new' and jsonb_typeof(write.job) = 'object';
      exception
        when undefined_function then null; -- not created yet, or not with these parameters
      end;
    end if;
  end if;

  insert into usage_records
    (account_id, requested_at, endpoint, status, credits, duration_ms, request_params, settlement_status,
     source, request_id, client_version, mcp_tool_name, connector_session_id, mcp_client_name,
     mcp_client_version, key_id)
  select accounts[item_account[usage.item]], usage.requested_at, usage.endpoint,
         case outcomes[usage.item]
           when 'new' then item_status[usage.item]
           when 'replayed' then stored_status[usage.item]
           when 'reused' then 409
           when 'quota_exceeded' then 429
           when 'budget_exceeded' then 402
         end,
         case outcomes[usage.item] when 'new' then moved[usage.item] else 0 end,
         usage.duration_ms, usage.request_params::json,
         case outcomes[usage.item] when 'new' then 'settled' when 'replayed' then 'replayed' else 'refused' end,
         usage.source, item_request[usage.item], usage.client ->> 'client_version', usage.client ->> 'mcp_tool_name',
         usage.client ->> 'connector_session_id', usage.client ->> 'mcp_client_name',
         usage.client ->> 'mcp_client_version', usage.key_id
    from unnest(usages.item, usages.requested_at, usages.endpoint, usages.duration_ms, usages.request_params,
                usages.source, usages.client, usages.key_id)
      as usage (item, requested_at, endpoint, duration_ms, request_params, source, client, key_id)
   where outcomes[usage.item] in ('new', 'replayed', 'reused', 'quota_exceeded', 'budget_exceeded');

  update account_balances balance
     set granted = granted_now[array_position(accounts, balance.account_id)],
         used = used_now[array_position(accounts, balance.account_id)],
         reserved = reserved_now[array_position(accounts, balance.account_id)]
   where balance.account_id = any (accounts)
     and changed[array_position(accounts, balance.account_id)];

  -- 9. Report each item's outcome, with the figures after the batch.
  return query
    select item, case outcomes[item] when 'new' then 'settled' else outcomes[item] end, moved[item],
           granted_now[item_account[item]], used_now[item_account[item]], reserved_now[item_account[item]],
           stored_status[item], stored_body[item]
      from generate_subscripts(outcomes, 1) as item;
end $function$;
comment on function settle(accounts bigint[], skip_busy boolean, settled_at timestamp with time zone, items settle_items, lines settle_lines, usages settle_usages, writes settle_writes, sessions settle_sessions) is 'Settles a batch in one transaction: the one place where credits move (contract section 5).';

CREATE OR REPLACE FUNCTION verdict_markets(elements json)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select coalesce(array_agg(distinct element ->> 'geo' collate "C" order by element ->> 'geo' collate "C"), '{}')
    from json_array_elements(elements) as element
$function$;
comment on function verdict_markets(elements json) is 'The sorted markets of licensed_by or blocked_by.';

CREATE OR REPLACE FUNCTION write_charged_bought_answer(account_id bigint, request_id text, client json, data jsonb)
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into bought_answers (account_id, operation, subject, settlement_id, idempotency_key, bought_at)
  values (account_id, data ->> 'operation', data ->> 'subject', (data ->> 'settlement_id')::uuid,
          data ->> 'idempotency_key', (data ->> 'bought_at')::timestamptz)
  on conflict on constraint bought_answers_pkey do update
    set settlement_id = excluded.settlement_id,
        idempotency_key = excluded.idempotency_key,
        bought_at = excluded.bought_at
    where (data ->> 'credits')::bigint > 0
       or not exists (select
                        from idempotency_records record
                       where record.account_id = bought_answers.account_id
                         and record.idempotency_key = bought_answers.idempotency_key
                         and record.settlement_id = bought_answers.settlement_id
                         and record.credits > 0)
$function$;

CREATE OR REPLACE FUNCTION write_charged_export(account_id bigint, request_id text, client json, data jsonb)
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into exports
    (id, account_id, state, format, filters, fields, max_rows, quoted_rows, quoted_credits, request_id, client,
     key_id, requested_at)
  values (
    (data ->> 'id')::bigint,
    account_id,
    'queued',
    data ->> 'format',
    data -> 'filters',
    array(select jsonb_array_elements_text(data -> 'fields')),
    (data ->> 'max_rows')::int,
    (data ->> 'quoted_rows')::int,
    (data ->> 'quoted_credits')::bigint,
    request_id,
    client,
    (data ->> 'key_id')::bigint,
    (data ->> 'requested_at')::timestamptz
  )
$function$;
comment on function write_charged_export(account_id bigint, request_id text, client json, data jsonb) is 'Writes a queued export (§4.17); `data` has the columns that the request decides.';
