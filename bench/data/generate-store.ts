import { sql } from 'kysely'
import type { Database } from '../../src/database/open.ts'
import { deriveObservations } from '../../src/features/domains/index.ts'
import { endFactChange } from '../../src/features/facts/index.ts'
import { lockFacts, recordEvent } from '../../src/journal/index.ts'
import { generateHistory } from './generate-history-store.ts'
import { tradeWords, words } from './names.ts'
import { jurisdictions, paymentCategories, regulators, type Sizes } from './sizes.ts'

const derivedAtOnce = 10_000
const start = '2020-01-01T00:00:00Z'

/** The SQL form of domainOf(). */
const domainText = sql`
  (select string_agg(substr('0123456789abcdefghijklmnopqrstuvwxyz', (digit % 36)::int + 1, 1),
    '' order by place desc)
     from (
       with recursive digits (place, rest, digit) as (
         select 0, (number * 7919 % 1000003) / 36, number * 7919 % 1000003
         union all
         select place + 1, rest / 36, rest from digits where rest > 0
       )
       select place, digit from digits
     ) base36) || '-play' || number || '.com'`

/** The SQL form of companyNameOf(). */
const companyNameText = sql`
  (${words}::text[])[1 + number % ${words.length}] || ' '
  || (${words}::text[])[1 + (number * 7 + number / 13) % ${words.length}] || ' '
  || (${tradeWords}::text[])[1 + number % ${tradeWords.length}]`

export async function generate(database: Database, sizes: Sizes): Promise<void> {
  await database.transaction().execute(async tx => {
    await sql`set local statement_timeout = 0`.execute(tx)
    await lockFacts(tx)
    await sql`
      insert into register_streams (stream, market, covers, parser_version, snapshot_number, last_taken_at,
        last_confirmed_at)
      select 'bench', 'bench', array['register', 'blocklist'], 1, 1,
             ${start}::timestamptz, ${start}::timestamptz`.execute(tx)
    await sql`
      insert into companies
        (company_ref, company_name, legal_entity, subject_kind, role, country, geo_hints, first_seen_at)
      select 'co_bench' || number, name, name || ' Limited', 'legal_entity',
             array[(array['operator', 'operator', 'operator', 'game_studio',
               'payment_provider'])[1 + number % 5]],
             'MT', array[(array['GB', 'DE', 'SE', 'MT'])[1 + number % 4]], ${start}::timestamptz
        from generate_series(1, ${sizes.companies}) as number
       cross join lateral (select ${companyNameText} as name) named`.execute(tx)
    // Identities are needed, because the columns of Companies are derived from them and verified after the
    // benchmark.
    await sql`
      insert into company_identities
        (stream, identity_key, company_id, known_from, first_seen_at, company_name, legal_entity,
          subject_kind, role,
         country, geo_hints)
      select 'bench', substr(company_ref, length('co_bench') + 1), id, first_seen_at, first_seen_at,
        company_name,
             legal_entity, subject_kind, role, country, geo_hints
        from companies`.execute(tx)
    await sql`
      insert into domains (domain_ref, domain)
      select 'dom_bench' || number, ${domainText}
        from generate_series(1, ${sizes.domains}::bigint) as number`.execute(tx)
    await sql`
      insert into licenses (license_ref, stream, record_key, jurisdiction, company_id, first_seen_at)
      select 'lic_bench' || number, 'bench', number::text,
             (${jurisdictions}::text[])[1 + number % ${jurisdictions.length}],
             1 + number % ${sizes.companies}, ${start}::timestamptz + number * interval '1 minute'
        from generate_series(1, ${sizes.licenses}) as number`.execute(tx)
    await sql`
      insert into license_states (license_id, license_number, status, license_type, issued_at, known_from)
      select license.id, 'B-' || license.record_key,
             case when license.id % 20 = 0 then 'surrendered' else 'active' end,
             'Remote', (${start}::date + (license.id % 2000)::int), ${start}::timestamptz
        from licenses license`.execute(tx)
    await sql`
      insert into authorisations
        (stream, record_key, domain_id, market, license_id, company_id, published, counts, first_seen_at,
          known_from)
      select 'bench', license.record_key, domain.id, license.jurisdiction, license.id, license.company_id,
             domain.domain, true, ${start}::timestamptz + (license.id % 100000) * interval '7 minutes',
               ${start}::timestamptz
        from licenses license
        join domains domain on domain.domain_ref = 'dom_bench' || (license.record_key::bigint * 4)`.execute(
      tx,
    )
    await sql`
      insert into domain_companies (domain_id, company_id, relation, stream, known_from)
      select distinct domain_id, company_id, 'licensee', 'bench', ${start}::timestamptz
        from authorisations`.execute(tx)
    await sql`
      insert into blocklist_entries
        (stream, record_key, regulator, scope, published, domain_id, listed, first_seen_at, last_seen_at,
          known_from, scope_rules)
      select 'bench', number::text,
             (${regulators}::text[])[1 + number % ${regulators.length}],
             'domain', domain.domain, domain.id, number % 25 <> 0,
             ${start}::timestamptz + (number % 500000) * interval '6 minutes',
             case when number % 25 = 0
                  then ${start}::timestamptz + (number % 500000 + 50000) * interval '6 minutes' end,
             ${start}::timestamptz, 1
        from generate_series(1, ${sizes.entries}) as number
        join domains domain
          on domain.domain_ref = 'dom_bench' || (1 + number * 7 % ${sizes.domains})`.execute(tx)
    await sql`
      insert into imported_observations (domain_id, section, value_key, value, first_seen_at, last_seen_at)
      select domain.id, section.name, 'value' || section.number, section.value,
             ${start}::timestamptz, ${start}::timestamptz + interval '900 days'
        from domains domain
        join lateral (
          values
            (1, 'payment_methods', jsonb_build_object('normalized_name', 'Card', 'category',
              (${paymentCategories}::text[])[1 + domain.id % ${paymentCategories.length}])),
            (2, 'supplier_brands', '{"normalized_provider_name": "Spinworks"}'),
            (3, 'supplier_brands', '{"normalized_provider_name": "Reelmakers"}'),
            (4, 'affiliate_programs', '{"program_url": "https://partners.example/"}'),
            (5, 'geo', '{"languages": ["en"], "currencies": ["EUR"], "geo_hints": ["EU"]}')
        ) as section (number, name, value) on true
       limit ${sizes.observations}`.execute(tx)
    await sql`
      update domains
         set last_observed_at = ${start}::timestamptz + interval '900 days',
             payment_categories =
               array[
                 (${paymentCategories}::text[])[1 + id % ${paymentCategories.length}]
               ]
       where id in (select domain_id from imported_observations)`.execute(tx)
    await sql`
      insert into usage_records
        (account_id, requested_at, endpoint, status, credits, duration_ms, request_params,
          settlement_status, source)
      select -number % 1000, now() - number % 86400 * interval '1 second', 'resolve_domain', 200, 0, 2,
             '{"domain":"generated.example"}', 'none', 'api'
        from generate_series(1, ${sizes.usageRecords}) as number`.execute(tx)
    if (sizes.closedRows > 0) await generateHistory(tx, sizes)
    await sql`analyze`.execute(tx)
    const { rows } = await sql<{ id: number }>`select id from domains order by id`.execute(tx)
    const now = new Date()
    for (let at = 0; at < rows.length; at += derivedAtOnce) {
      const ids = rows.slice(at, at + derivedAtOnce).map(row => row.id)
      await deriveObservations(tx, ids)
      await endFactChange(tx, { domainIds: ids, cause: { cause: 'import', occurredAt: now, now } })
    }
    await recordEvent(tx, { kind: 'import', at: new Date(start) })
  })
  // VACUUM runs outside of a transaction, after the last row, because index-only scans need the visibility
  // map.
  await database.connection().execute(async connection => {
    await sql`set statement_timeout = 0`.execute(connection)
    await sql`vacuum analyze`.execute(connection)
    await sql`reset statement_timeout`.execute(connection)
  })
}

/** Adds a supplier that few sites show. */
export async function addRareSupplier(database: Database, name: string, sites: number): Promise<void> {
  await database.transaction().execute(async tx => {
    const { rows } = await sql<{ domain_id: number }>`
      insert into imported_observations (domain_id, section, value_key, value, first_seen_at, last_seen_at)
      select id, 'supplier_brands', ${name}, jsonb_build_object('normalized_provider_name', ${name}::text),
             last_observed_at, last_observed_at
        from domains
       where id % greatest(1, (select count(*) from domains) / ${sites}::int) = 0
      on conflict do nothing
      returning domain_id`.execute(tx)
    const domainIds = rows.map(row => row.domain_id)
    await deriveObservations(tx, domainIds)
    await endFactChange(tx, { domainIds })
  })
  await sql`analyze observations`.execute(database)
}

/** Invalidates cached counts, as every writer does at its end. */
export async function markChanged(database: Database): Promise<void> {
  await database.transaction().execute(tx => endFactChange(tx))
}

export async function prepareComparison(database: Database): Promise<void> {
  await sql`
    create table if not exists bench_balances (like account_balances including all)
      with (fillfactor = 50)`.execute(database)
  await sql`insert into bench_balances select * from account_balances on conflict do nothing`.execute(
    database,
  )
  await sql`
    create table if not exists bench_ledger (like ledger_entries including all)
      partition by range (recorded_at)`.execute(database)
  await sql`create table if not exists bench_ledger_default partition of bench_ledger default`.execute(
    database,
  )
  await sql`
    create table if not exists bench_usage (like usage_records including all)
      partition by range (requested_at)`.execute(database)
  await sql`create table if not exists bench_usage_default partition of bench_usage default`.execute(database)
}
