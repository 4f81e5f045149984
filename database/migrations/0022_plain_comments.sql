-- Comments in plain words. No data and no structure changes.

comment on column api_keys.last_used_at is
  'To the minute; null: never used.';
comment on column authorisations.counts is
  'Whether it licenses the domain, apart from the status of its license.';
comment on column authorisations.last_seen_at is
  'null: the stream''s last confirmation applies.';
comment on column authorisations.license_id is
  'null: the source names no license.';
comment on column authorisations.licensee_key is
  'The record key of the licensee; null: the register names none, or the row was imported.';
comment on column blocklist_entries.domain_id is
  'null for apps, payment accounts and pages on shared hosts.';
comment on column blocklist_entries.last_seen_at is
  'null: the stream''s last confirmation applies; set when the entry is no longer listed.';
comment on column blocklist_entries.listed is
  'false: no longer listed.';
comment on column blocklist_entries.listed_at is
  'The date in the register; null: it gives none.';
comment on column blocklist_entries.scope is
  'Only the scope domain affects a verdict; the others are evidence.';
comment on column companies.legal_entity is
  'null unless a source stated one (§2.2).';
comment on column companies.merged_into is
  'null: not merged.';
comment on column company_decisions.identities is
  '[[stream, identity_key]]: the identities that moved.';
comment on column company_identities.name_key is
  'The folded legal name (core/legal-name.ts). With the country it matches licensees of other registers. '
  'null: no legal name.';
comment on column company_identities.registration is
  '<country or, if unknown, market>:<number without blanks and signs>; null: none is published.';
comment on column company_identities.seniority is
  'The identity of a Company with the lowest value leads, then the oldest. Identities added by a merge come '
  'last.';
comment on column company_search.document is
  'Words of names and domains. Prefixes: = a whole name as spelt, ~ one without blanks and legal form, * '
  'each word of a legal form. Weights A to D are names, brands, aliases, domains.';
comment on column company_search.facets is
  'The terms that facets count.';
comment on column company_search.hit is
  'The row as it is sent, apart from what depends on the query. json preserves its bytes.';
comment on column company_search.missing is
  '1 - data_completeness in thousandths. The first key of the order of searches without text.';
comment on column company_search.names is
  'The searchable names as a JSON list: company name, legal entity, brands, aliases.';
comment on column company_search.sites is
  'The domains whose words the document contains, as a JSON list.';
comment on column company_search.sort_name is
  'The folded name; empty: none.';
comment on column company_search.terms is
  'Ids of search_terms.';
comment on column contacts.company_id is
  'The Company of the person. Merges and splits update it.';
comment on column contacts.company_key is
  'The Company''s key in an interchange file; null: the source identified the Company itself.';
comment on column contacts.email is
  'null: unknown. People without email and profile are not delivered.';
comment on column contacts.headline is
  'The person''s own headline on the profile; null: unknown.';
comment on column contacts.last_verified_at is
  'null: not verified since collection.';
comment on column contacts.linkedin_url is
  'The professional profile; null: unknown.';
comment on column contacts.name_key is
  'The folded words of the name, sorted: identifies people without a profile.';
comment on column contacts.profile_key is
  'The normalised profile; null exactly when linkedin_url is.';
comment on column contacts.source is
  'The source of the person''s data.';
comment on column contacts.title is
  'The job title; null: unknown, and the headline is used.';
comment on column dataset_events.at is
  'The `now` of the change, from which its rows are known.';
comment on column domain_companies.company_key is
  'The Company''s key in an interchange file; null: links of registers are derived from authorisations.';
comment on column domain_listings.platform_id is
  'The platform of the domain''s latest reading, reviewed or not.';
comment on column domain_listings.told is
  'The members domain, verdict, licensed_by and blocked_by as they are sent.';
comment on column domains.first_seen_at is
  'When a register first listed it (open and closed facts); null: never.';
comment on column domains.licensed_by is
  '§2.7 as it is sent. json preserves the bytes; jsonb would not.';
comment on column domains.licensee_company_id is
  'The Company of the earliest-issued license that counts; null: unknown.';
comment on column domains.payment_categories is
  'Categories of the currently observed payment methods.';
comment on column domains.platform_id is
  'The platform of the latest reading, reviewed or not; null: no reading.';
comment on column exports.attempt_id is
  'The current or last attempt: the id of its reservation, and part of the file name. An attempt that finds '
  'another id here has lost the export. null: none began.';
comment on column exports.attempts is
  'Number of attempts.';
comment on column exports.client is
  'The client software that the request stated (§2.15); null: none.';
comment on column exports.expected_rows is
  'Rows that matched when the file was written, up to the row limit: the size with unlimited credits.';
comment on column exports.expires_at is
  'When the file is removed: 24 hours after completion.';
comment on column exports.failure is
  'The reason for the operator; null: not failed.';
comment on column exports.file_name is
  'In the file store; null: not written yet, or removed.';
comment on column exports.filters is
  'Canonical, without unknown keys.';
comment on column exports.id is
  'Shown to customers (§2.16). Taken from the sequence before the row is inserted.';
comment on column exports.quoted_credits is
  'The maximum charge.';
comment on column exports.quoted_rows is
  'Rows that matched at the request, up to the row limit.';
comment on column exports.request_id is
  'Of the request that created it; its ledger entries have it too.';
comment on column exports.settlement_id is
  'The charge; also set for a charge of 0 credits.';
comment on column exports.truncated_by is
  'row_limit: more rows match than an export may contain. credits: the balance or the quote was used up. '
  'null: complete.';
comment on column exports.waiting_since is
  'Since when it waits for credits that other exports of its account have reserved; null: not waiting.';
comment on column firmographics.data is
  'All data fields of §2.5 by name; null where the source has no value.';
comment on column firmographics.fetched_at is
  'When the source was queried, not when the row was written.';
comment on column kept_chunks.packed is
  'A part of one gzip stream, in the order of position.';
comment on column kept_files.bytes is
  'Uncompressed.';
comment on column license_search.document is
  'Words of the number, the holder''s names, the type and the jurisdiction, with weights A to D. Prefixes: '
  '# the whole number, % a UKGC number without its version counter.';
comment on column license_search.names is
  'The searchable names as a JSON list: license number, company name, legal entity, jurisdiction, type.';
comment on column license_search.sites is
  'Empty: licenses cannot be found by words of domains.';
comment on column license_states.last_seen_at is
  'null: the stream''s last confirmation applies.';
comment on column license_states.licensee_key is
  'The record key of the licensee in the same register; null: imported.';
comment on column license_states.role is
  'operator or supplier, as the register lists the licensee; null: not stated.';
comment on column license_states.status is
  'As published, normalised; null: the source publishes none.';
comment on column licensee_states.last_seen_at is
  'null: the stream''s last confirmation applies.';
comment on column licenses.company_key is
  'The Company''s key in an interchange file; null: none, or the license is from a register.';
comment on column licenses.record_key is
  'The number without its changing part (UKGC: the version counter).';
comment on column logo_names.company_id is
  'The Company with this name or brand; null: observed on a site.';
comment on column logo_names.subject_id is
  'null: added in this transaction, and not assigned yet.';
comment on column logo_subjects.domain_id is
  'The domain that a file states; null: none; links to Companies apply.';
comment on column logo_subjects.name is
  'The stated name, or else the first of logo_names.';
comment on column logo_subjects.name_folded is
  'The folded words of the name, for fragment matches and for ordering.';
comment on column logo_subjects.name_joined is
  'The folded name without blanks, for prefix matches: luckyotter finds Lucky Otter.';
comment on column logo_subjects.role is
  'As stated in a file; empty: derived from its Companies.';
comment on column logo_subjects.slug is
  'From the first name, or as stated in a file. Stable when the name changes; images are addressed by it.';
comment on column logo_subjects.stated_name is
  'The name in an interchange file; null: none, and the subject is removed with its last name.';
comment on column logos.file_name is
  'The file below LOGO_URL, named by the SHA-256 of its content. Served while one of its rows is current or '
  'superseded.';
comment on column logos.reason is
  'Why it was withdrawn by a person; null: not withdrawn, or withdrawn by an interchange file.';
comment on column logos.superseded_at is
  'The end of its time as current; null: current, or rejected before.';
comment on column logos.width is
  'In pixels; null: the drawing has no intrinsic size.';
comment on column observations.value is
  'The fields of the section as in §2.9, without the dates.';
comment on column observations.value_key is
  'Identifies a value within its section: a name, URL or domain; constant for geo.';
comment on column platforms.reviewed_at is
  'null: no person has reviewed the vendor as a platform, and it is not published.';
comment on column prospect_lists.account_id is
  'null: requested through the public form, and not assigned yet.';
comment on column prospect_lists.import_key is
  'The key in an interchange file, given or derived from the line; null: created by staff or the public '
  'form.';
comment on column prospect_lists.ready_at is
  'When it was delivered; null: not delivered. A cancelled list retains it.';
comment on column prospect_lists.result is
  'The object of §2.13; null before the list is ready and after it is cancelled.';
comment on column prospect_lists.status is
  'requested, preparing, ready or cancelled. Customers never see cancelled lists.';
comment on column prospect_lists.target_account_count is
  'Derived from the result; null without one.';
comment on column register_snapshots.figures is
  'The figures that the guard compares with the next snapshot.';
comment on column register_snapshots.hold_reasons is
  'Why it was quarantined; retained after approval.';
comment on column register_snapshots.is_correction is
  'The previous snapshot''s files, read by a newer parser: corrects data without creating Signals.';
comment on column register_snapshots.number is
  'Numbers the applied snapshots of a stream; null: quarantined, or replaced while quarantined.';
comment on column register_snapshots.rows_sha256 is
  'The normalised rows as NDJSON, in kept_files; null: applied before rows were stored.';
comment on column register_streams.cadence_hours is
  'How often the source publishes; it is stale after three times that.';
comment on column register_streams.held_snapshot_id is
  'The quarantined snapshot that awaits approval; null: none.';
comment on column register_streams.last_confirmed_at is
  'When the source last confirmed the open rows, which derive their last_confirmed_at from it.';
comment on column register_streams.last_taken_at is
  'When the last applied or confirmed snapshot was taken; null: none yet.';
comment on column register_streams.regulator is
  'This and the following columns describe the source in its Signals (§4.1, §4.3). Written at each sync. '
  'null: not synced since, or not a register (import).';
comment on column register_streams.watch_etag is
  'The ETag of each file of watch_snapshot_id, one line for each watch_url, empty without one.';
comment on column register_streams.watch_failures is
  'Consecutive fetches without a usable result.';
comment on column register_streams.watch_last_modified is
  'Last-Modified, as watch_etag.';
comment on column register_streams.watch_snapshot_id is
  'The last snapshot that fetched files created or confirmed. Its validators are sent only while it is the '
  'last applied one.';
comment on column register_streams.watch_url is
  'The addresses of the snapshot''s files, one a line; null: not fetched automatically.';
comment on column register_streams.watched_at is
  'When the source was last fetched; null: not since it is watched.';
comment on column search_terms.field is
  'The filter''s name; with "as spelt", the values that facets count of a folded filter. Empty: the term of '
  'every row, which rows do not list.';
comment on column search_terms.rows is
  'Number of search rows with this term, for totals of one filter and facets without filters. 0: none any '
  'more.';
comment on column search_terms.value is
  'Folded for fields without case and accents (geo, license_type, payment_method, platform, supplier_brand).';
comment on column signals.content is
  'The published content, immutable: the license, its authorised domains, the changes; see '
  'features/signals/content.ts.';
comment on column signals.event_type is
  'The change as named in §6; for platform sites platform_first_observed.';
comment on column signals.is_market_entry is
  'In both feeds: a new license of an operator (§4.1).';
comment on column suppression_decisions.stored_answers is
  'Answers stored under an Idempotency-Key that named the person.';
comment on column suppressions.company_id is
  'A name is suppressed at one Company, and at the Companies it is merged into or split off to; null: an '
  'address or profile, everywhere.';
comment on column usage_records.settlement_status is
  'settled, replayed, refused or none (nothing to charge).';
comment on function ensure_month_partitions(date, integer) is
  'Creates the missing partitions of these months (UTC); returns how many it created.';
comment on function fold_license_number(text) is
  'A license number without blanks, in capitals. Spellings of one number become equal.';
comment on function fold_names(text[]) is
  'Names without case, accents and blanks. Spellings of one name become equal. Empty names are omitted; '
  'names are cut to the 500 characters that an index can store.';
comment on function license_number_key(text) is
  'The folded number without a version counter as the UKGC prints one, for look-ups. Numbers of other '
  'registers that end alike are distinguished afterwards.';
comment on table account_balances is
  'The current figures of an account. Half-empty pages, so that updates are HOT.';
comment on table authorisations is
  'Authorised domains: listed for a license, an account, or by themselves.';
comment on table company_decisions is
  'merge: company_id was merged into other_company_id. split: the identities moved from company_id to '
  'other_company_id.';
comment on table company_identities is
  'How a source identifies a Company (account number, key of an interchange file), and its latest data. '
  'Columns of companies are derived from it (features/companies/derive-companies-store.ts).';
comment on table company_search is
  'Derived: search rows of unmerged Companies, with the hit to show (§2.6).';
comment on table contacts is
  'People of Companies. Personal data: stored here and in answers of the last 7 days, in no history and no '
  'raw file. Suppressions delete it.';
comment on table dataset_events is
  'Changes of facts, numbered under the lock of their writers: their order.';
comment on table dataset_version is
  'One row, incremented last by each transaction that changes searchable data. Counts cached for a version '
  'stay valid.';
comment on table described_registers is
  'Registers described by an operator in a file (docs/registers.md).';
comment on table domain_counts is
  'Derived: number of domains by verdict (geo empty), and by verdict and regulator.';
comment on table domain_listings is
  'Derived: one row per domain and regulator of its verdict, so that a page of a deep search is one index '
  'range (§4.13).';
comment on table exports is
  'Requested exports and their state. Only completed ones are shown. Inserted in the transaction that '
  'settles the request; completed in the one that charges.';
comment on table firmographics is
  'The latest complete result for a domain (§2.5): data about the organisation of the site. A failed '
  'attempt changes nothing.';
comment on table idempotency_records is
  'The first answer under a key, byte for byte, for 7 days. The primary key decides which of several '
  'simultaneous requests is charged.';
comment on table kept_files is
  'Raw files, and normalised rows, named by the digest of their content. Never deleted.';
comment on table license_search is
  'Derived: search rows of the current licenses of each source. Columns as in company_search.';
comment on table licensee_states is
  'What a register states of its licensees. company_identities assigns them to Companies.';
comment on table licenses is
  'The constant part of a license. license_states has the data of registers.';
comment on table logo_names is
  'Derived: names of subjects from Companies and sites. Names stated in files are in logo_subjects.';
comment on table logo_stale_companies is
  'Companies whose names or brands changed in this transaction; empty between transactions.';
comment on table logo_subjects is
  'Everything that may have a logo, with or without one.';
comment on table logos is
  'Current and former images of subjects. Never deleted.';
comment on table prospect_list_requests is
  'Requests of the public form with their contact. Deleted when the list is cancelled, or with the list '
  'when it is not handled.';
comment on table prospect_lists is
  'Lists that staff prepare for an account. The result is personal data: deleted when the list is '
  'cancelled; suppressions remove people from it.';
comment on table register_streams is
  'The streams that have been synced, and import. Streams are defined in code.';
comment on table reservations is
  'Credits reserved for work in progress. The owner renews its lease; a sweep releases those of dead owners.';
comment on table search_stale is
  'Companies and licenses whose search row is outdated. Triggers add them, and the same transaction removes '
  'them. Empty in every committed state.';
comment on table search_terms is
  'The dictionary of exact filters: a search row has the ids of its terms. Derived, except for the ids, '
  'which are stable.';
comment on table search_words is
  'All present and former words of the documents; unknown words are compared with them.';
comment on table settlements is
  'Applied settlements. The unique id prevents that a batch repeated after a lost connection is charged '
  'again. Purged by age.';
comment on table signal_counts is
  'Derived: Signals of a feed by kind and day of occurrence (UTC), with their first and last number. '
  'Register feeds have platform 0; the platform feed has empty market and stream.';
comment on table signal_sequence is
  'One row. A transaction that numbers Signals updates it last, and so locks it until the commit.';
comment on table signal_totals is
  'Derived: signal_counts without days, so that pages without dates need not sum them.';
comment on table signals is
  'Numbered from 1 without gaps in the order of commits (signal_sequence). Changed by recorded corrections '
  'only, never deleted: a cursor is a number and stays valid.';
comment on table signing_secrets is
  'Secrets that sign e.g. cursors; created at first use.';
comment on table suppression_decisions is
  'Suppressions with their reason and effect. Without names.';
comment on table suppressions is
  'People who must not be stored or delivered: keyed hashes that cannot be reversed (docs/people.md).';
