import { linkingKey } from '@baize/names'
import type { AuthorisationRow, BlocklistRow, LicenseeRow, LicenseRow, RecordKind } from '@baize/registers'
import type { SnapshotFigures } from '@baize/registers/guard'
import { sql } from 'kysely'
import { newRef } from '../../core/ref.ts'
import type { Transaction } from '../../database/open.ts'

/** `ref` is for a new record or domain. It is created here, so that applying needs one statement. */
export async function createStaging(tx: Transaction): Promise<void> {
  await sql`
    create temp table staged_licensees (
      record_key text, ref text, legal_name text, trading_names text[], country text,
      registration_number text,
      name_key text, is_person boolean
    ) on commit drop`.execute(tx)
  await sql`
    create temp table staged_licenses (
      record_key text, ref text, license_number text, license_type text, status text, licensee_key text,
      issued_at date, expires_at date, source_url text, role text
    ) on commit drop`.execute(tx)
  await sql`
    create temp table staged_authorisations (
      record_key text, ref text, domain text collate "C", published text, status text, counts boolean,
      license_key text, licensee_key text
    ) on commit drop`.execute(tx)
  await sql`
    create temp table staged_entries (
      record_key text, ref text, published text, scope text, domain text collate "C", listed boolean,
      listed_at timestamptz, delisted_at timestamptz, listed_as text
    ) on commit drop`.execute(tx)
}

export async function stageLicensees(tx: Transaction, rows: readonly LicenseeRow[]): Promise<void> {
  await sql`
    insert into staged_licensees
    select record_key, ref, legal_name, array(select json_array_elements_text(trading_names)), country,
           registration_number, name_key, is_person
      from unnest(
        ${rows.map(row => row.recordKey)}::text[],
        ${rows.map(() => newRef('co'))}::text[],
        ${rows.map(row => row.legalName)}::text[],
        ${rows.map(row => JSON.stringify(inOneOrder(row.tradingNames)))}::json[],
        ${rows.map(row => row.country)}::text[],
        ${rows.map(row => row.registrationNumber)}::text[],
        ${rows.map(nameKeyOf)}::text[],
        ${rows.map(({ isPerson = false }) => isPerson)}::boolean[]
      ) as row (record_key, ref, legal_name, trading_names, country, registration_number, name_key,
                is_person)`.execute(tx)
}

/** A natural person has none, because equal names do not make two people one. */
const nameKeyOf = ({ legalName, isPerson = false }: LicenseeRow) =>
  isPerson === true ? '' : linkingKey(legalName)

/** Sorts names, because another order of the same names is not a change. */
function inOneOrder(names: readonly string[]): string[] {
  return [...new Set(names)].sort()
}

export async function stageLicenses(tx: Transaction, rows: readonly LicenseRow[]): Promise<void> {
  await sql`
    insert into staged_licenses
    select *
      from unnest(
        ${rows.map(row => row.recordKey)}::text[],
        ${rows.map(() => newRef('lic'))}::text[],
        ${rows.map(row => row.licenseNumber)}::text[],
        ${rows.map(row => row.licenseType)}::text[],
        ${rows.map(row => row.status)}::text[],
        ${rows.map(row => row.licenseeKey)}::text[],
        ${rows.map(row => row.issuedAt)}::date[],
        ${rows.map(row => row.expiresAt)}::date[],
        ${rows.map(row => row.sourceUrl)}::text[],
        ${rows.map(row => row.role)}::text[]
      )`.execute(tx)
}

export async function stageAuthorisations(tx: Transaction, rows: readonly AuthorisationRow[]): Promise<void> {
  await sql`
    insert into staged_authorisations
    select *
      from unnest(
        ${rows.map(row => row.recordKey)}::text[],
        ${rows.map(() => newRef('dom'))}::text[],
        ${rows.map(row => row.domain)}::text[],
        ${rows.map(row => row.published)}::text[],
        ${rows.map(row => row.status)}::text[],
        ${rows.map(row => row.counts)}::boolean[],
        ${rows.map(row => row.licenseKey)}::text[],
        ${rows.map(row => row.licenseeKey)}::text[]
      )`.execute(tx)
}

export async function stageEntries(tx: Transaction, rows: readonly BlocklistRow[]): Promise<void> {
  await sql`
    insert into staged_entries
    select *
      from unnest(
        ${rows.map(row => row.recordKey)}::text[],
        ${rows.map(row => (row.domain === null ? null : newRef('dom')))}::text[],
        ${rows.map(row => row.published)}::text[],
        ${rows.map(row => row.scope)}::text[],
        ${rows.map(row => row.domain)}::text[],
        ${rows.map(row => row.listed)}::boolean[],
        ${rows.map(row => row.listedAt)}::timestamptz[],
        ${rows.map(row => row.delistedAt)}::timestamptz[],
        ${rows.map(row => row.listedAs)}::text[]
      )`.execute(tx)
}

export const stagedTableOf = {
  licensee: 'staged_licensees',
  license: 'staged_licenses',
  authorisation: 'staged_authorisations',
  blocklist_entry: 'staged_entries',
} as const satisfies Record<RecordKind, string>

/**
 * Deletes repeated records. Prefers the row that licenses or blocks, then the first by content. Returns the
 * deleted rows.
 */
export async function dropRepeatedRecords(tx: Transaction, kinds: readonly RecordKind[]): Promise<number> {
  let dropped = 0
  for (const kind of kinds) {
    const table = stagedTableOf[kind]
    const { numAffectedRows } = await sql`
      with repeated as (
        select record_key from ${sql.table(table)} group by record_key having count(*) > 1
      ),
      placed as (
        select staged.ctid as place,
               row_number() over (
                 partition by record_key
                 order by ${preferred[table]} desc, (to_jsonb(staged) - 'ref')::text collate "C"
               ) as number
          from ${sql.table(table)} staged
          join repeated using (record_key)
      )
      delete from ${sql.table(table)} staged
       using placed
       where staged.ctid = placed.place
         and placed.number > 1`.execute(tx)
    dropped += Number(numAffectedRows ?? 0)
    await sql`analyze ${sql.table(table)}`.execute(tx)
  }
  return dropped
}

const preferred = {
  staged_licensees: sql`staged.legal_name collate "C"`,
  staged_licenses: sql`coalesce(staged.status, '') = 'active'`,
  staged_authorisations: sql`staged.counts`,
  staged_entries: sql`staged.listed`,
} as const

/** Counts blocklist entries by scope, others by kind. */
export async function countStaged(tx: Transaction): Promise<Record<string, number>> {
  const { rows } = await sql<{ kind: string; records: number }>`
    select 'licensee' as kind, count(*) as records from staged_licensees
    union all
    select 'license', count(*) from staged_licenses
    union all
    select 'authorisation', count(*) from staged_authorisations
    union all
    select scope, count(*) from staged_entries group by scope`.execute(tx)
  return Object.fromEntries(rows.filter(row => row.records > 0).map(row => [row.kind, row.records]))
}

export async function measureStaged(tx: Transaction): Promise<Pick<SnapshotFigures, 'records' | 'filled'>> {
  const { rows } = await sql<{ kind: RecordKind; records: number; filled: Record<string, number> }>`
    select 'licensee' as kind, count(*) as records,
           json_build_object('country', count(country), 'registration_number', count(registration_number),
                             'trading_names', count(*) filter (where trading_names <> '{}')) as filled
      from staged_licensees
    union all
    select 'license', count(*),
           json_build_object('license_type', count(license_type), 'status', count(status),
                             'issued_at', count(issued_at), 'expires_at', count(expires_at),
                             'role', count(role))
      from staged_licenses
    union all
    select 'authorisation', count(*),
           json_build_object('status', count(status), 'license', count(license_key),
                             'licensee', count(licensee_key), 'counts', count(*) filter (where counts))
      from staged_authorisations
    union all
    select 'blocklist_entry', count(*),
           json_build_object('domain', count(domain), 'listed_at', count(listed_at),
                             'delisted_at', count(delisted_at), 'listed', count(*) filter (where listed))
      from staged_entries`.execute(tx)
  const records = Object.fromEntries(rows.map(row => [row.kind, row.records])) as SnapshotFigures['records']
  const filled: SnapshotFigures['filled'] = {}
  for (const row of rows)
    for (const [field, count] of Object.entries(row.filled)) filled[`${row.kind}.${field}`] = count
  return { records, filled }
}

type DanglingKey = { kind: 'license' | 'licensee'; count: number; examples: string[] }

const danglingExamplesMax = 5

/** Finds keys that rows name and the snapshot does not contain. */
export async function findDanglingKeys(tx: Transaction): Promise<DanglingKey[]> {
  const { rows } = await sql<DanglingKey>`
    with named as (
      select licensee_key from staged_authorisations
      union all
      select licensee_key from staged_licenses
    ),
    dangling as (
      select 'license' as kind, license_key as key
        from staged_authorisations
       where license_key is not null
         and license_key not in (select record_key from staged_licenses)
      union all
      select 'licensee', licensee_key
        from named
       where licensee_key is not null
         and licensee_key not in (select record_key from staged_licensees)
    )
    select kind, count(*) as count,
           (array_agg(distinct key order by key))[:${sql.lit(danglingExamplesMax)}] as examples
      from dangling
     group by kind
     order by kind`.execute(tx)
  return rows
}

/** Finds the newest day of a staged license or entry as `YYYY-MM-DD`. Future days do not count. */
export async function findNewestDate(tx: Transaction): Promise<string | null> {
  const { rows } = await sql<{ newest: string | null }>`
    select max(day)::text as newest
      from (
        select greatest(listed_at, delisted_at)::date as day from staged_entries
        union all
        select issued_at from staged_licenses
      ) dated
     where day <= current_date`.execute(tx)
  return rows[0]?.newest ?? null
}
