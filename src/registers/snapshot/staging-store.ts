import { linkingKey } from '@baize/names'
import type { LicenseeRow, NormalisedRow, RecordKind } from '@baize/registers'
import type { SnapshotFigures } from '@baize/registers/guard'
import { sql } from 'kysely'
import { newRef } from '../../core/ref.ts'
import type { Transaction } from '../../database/open.ts'

type RowsOf = { [Kind in RecordKind]: Extract<NormalisedRow, { record: Kind }> }
type Column<Row> = [name: string, type: string, of: (row: Row) => unknown]

export const stagedTableOf = {
  licensee: 'staged_licensees',
  license: 'staged_licenses',
  authorisation: 'staged_authorisations',
  blocklist_entry: 'staged_entries',
} as const satisfies Record<RecordKind, string>

/** `ref` is for a new record or domain. It is created here, so that applying needs one statement. */
const columns: { [Kind in RecordKind]: Column<RowsOf[Kind]>[] } = {
  licensee: [
    ['record_key', 'text', row => row.recordKey],
    ['ref', 'text', () => newRef('co')],
    ['legal_name', 'text', row => row.legalName],
    ['trading_names', 'text[]', row => JSON.stringify(inOneOrder(row.tradingNames))],
    ['country', 'text', row => row.country],
    ['registration_number', 'text', row => row.registrationNumber],
    ['name_key', 'text', nameKeyOf],
    ['is_person', 'boolean', ({ isPerson = false }) => isPerson],
  ],
  license: [
    ['record_key', 'text', row => row.recordKey],
    ['ref', 'text', () => newRef('lic')],
    ['license_number', 'text', row => row.licenseNumber],
    ['license_type', 'text', row => row.licenseType],
    ['status', 'text', row => row.status],
    ['licensee_key', 'text', row => row.licenseeKey],
    ['issued_at', 'date', row => row.issuedAt],
    ['expires_at', 'date', row => row.expiresAt],
    ['source_url', 'text', row => row.sourceUrl],
    ['role', 'text', row => row.role],
  ],
  authorisation: [
    ['record_key', 'text', row => row.recordKey],
    ['ref', 'text', () => newRef('dom')],
    ['domain', 'text collate "C"', row => row.domain],
    ['published', 'text', row => row.published],
    ['status', 'text', row => row.status],
    ['counts', 'boolean', row => row.counts],
    ['license_key', 'text', row => row.licenseKey],
    ['licensee_key', 'text', row => row.licenseeKey],
  ],
  blocklist_entry: [
    ['record_key', 'text', row => row.recordKey],
    ['ref', 'text', row => (row.domain === null ? null : newRef('dom'))],
    ['published', 'text', row => row.published],
    ['scope', 'text', row => row.scope],
    ['domain', 'text collate "C"', row => row.domain],
    ['listed', 'boolean', row => row.listed],
    ['listed_at', 'timestamptz', row => row.listedAt],
    ['delisted_at', 'timestamptz', row => row.delistedAt],
    ['listed_as', 'text', row => row.listedAs],
  ],
}

/** A natural person has none, because equal names do not make two people one. */
function nameKeyOf({ legalName, isPerson = false }: LicenseeRow): string {
  return isPerson === true ? '' : linkingKey(legalName)
}

/** Sorts names, because another order of the same names is not a change. */
function inOneOrder(names: readonly string[]): string[] {
  return [...new Set(names)].sort()
}

export async function createStaging(tx: Transaction): Promise<void> {
  for (const [kind, table] of Object.entries(stagedTableOf)) {
    const declared = columns[kind as RecordKind].map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`)
    await sql`create temp table ${sql.table(table)} (${sql.join(declared)}) on commit drop`.execute(tx)
  }
}

/** A list of a row is sent as JSON, because `unnest` would unpack it with the rows. */
export async function stageRows<Kind extends RecordKind>(
  tx: Transaction,
  kind: Kind,
  rows: readonly RowsOf[Kind][],
): Promise<void> {
  const declared = columns[kind]
  const values = declared.map(([, type, of]) => {
    const [sent = type] = type.split(' collate')
    return sql`${rows.map(of)}::${sql.raw(sent === 'text[]' ? 'json' : sent)}[]`
  })
  const read = declared.map(([name, type]) =>
    type === 'text[]' ? sql`array(select json_array_elements_text(${sql.ref(name)}))` : sql.ref(name),
  )
  await sql`
    insert into ${sql.table(stagedTableOf[kind])}
    select ${sql.join(read)}
      from unnest(${sql.join(values)}) as row (${sql.join(declared.map(([name]) => sql.ref(name)))})`.execute(
    tx,
  )
}

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
