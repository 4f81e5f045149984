/** Made-up registers for tests of syncing, whose files are readings as JSON lines, and an empty world. */
import type {
  AuthorisationRow,
  BlocklistRow,
  LicenseeRow,
  LicenseRow,
  Reading,
  Stream,
} from '@baize/registers'
import { fileOfBytes, type SourceFile } from '@baize/tables'
import { sql } from 'kysely'
import type pg from 'pg'
import { createTestDatabase } from '../../test/harness/database.ts'
import { emptyTables } from '../../test/harness/empty-tables.ts'
import { type Database, openWorld, type World } from '../database/open.ts'
import { approveSnapshot } from './apply/approve-snapshot.ts'
import type { SyncOptions } from './apply/sync-options.ts'
import { syncRegister } from './apply/sync-register.ts'
import type { SyncReport } from './apply/sync-report.ts'

export function fakeStream(key: string, overrides: Partial<Stream> = {}): Stream {
  return {
    key,
    market: key.split('.')[0] as string,
    covers: ['register', 'blocklist'],
    regulator: `Regulator of ${key}`,
    regulatorCountryCode: 'XX',
    officialUrl: 'https://regulator.example/',
    official: {
      files: [{ url: 'https://regulator.example/register.jsonl', resolve: { by: 'direct' } }],
      language: 'en',
      layout: 'recorded',
      layoutRecordedAt: '2026-01-01',
      columns: [],
      terms: null,
      sources: {
        address: 'made up',
        layout: 'made up',
        compared: null,
        cadence: 'made up',
        rows: 'made up',
        terms: null,
      },
    },
    format: 'JSON lines',
    cadence: { words: 'daily', hours: 24 },
    publishes: {
      licenses: true,
      holders: true,
      statuses: true,
      revoked: true,
      dates: true,
      domains: true,
      roles: true,
    },
    makesMarketEntries: true,
    identity: 'the record key of the line',
    rowsMin: 0,
    rowsMax: null,
    endsWithLineBreak: false,
    sourceClaim: 'license_and_blocklist',
    qualification: 'A register for tests.',
    sourceIdentity: key,
    parserVersion: 1,
    read: readLines,
    ...overrides,
  }
}

async function* readLines(files: readonly SourceFile[]): AsyncGenerator<Reading> {
  for (const file of files) {
    const chunks: Uint8Array[] = []
    for await (const chunk of file.open()) chunks.push(chunk)
    for (const line of Buffer.concat(chunks).toString().split('\n'))
      if (line !== '') yield JSON.parse(line) as Reading
  }
}

export function fileOf(...readings: Reading[]): SourceFile {
  return fileOfBytes('register.jsonl', readings.map(reading => `${JSON.stringify(reading)}\n`).join(''))
}

export function entry(domain: string, fields: Partial<BlocklistRow> = {}): BlocklistRow {
  return {
    record: 'blocklist_entry',
    recordKey: domain,
    published: domain,
    scope: 'domain',
    domain,
    listedAs: domain,
    listedAt: null,
    delistedAt: null,
    listed: true,
    ...fields,
  }
}

export function licensee(recordKey: string, fields: Partial<LicenseeRow> = {}): LicenseeRow {
  return {
    record: 'licensee',
    recordKey,
    legalName: `${recordKey} Limited`,
    tradingNames: [],
    country: 'GB',
    registrationNumber: null,
    ...fields,
  }
}

export function license(
  recordKey: string,
  licenseeKey: string,
  fields: Partial<LicenseRow> = {},
): LicenseRow {
  return {
    record: 'license',
    recordKey,
    licenseNumber: `${recordKey}-001`,
    licenseType: 'remote',
    status: 'active',
    licenseeKey,
    issuedAt: null,
    expiresAt: null,
    sourceUrl: null,
    role: 'operator',
    ...fields,
  }
}

export function authorisation(domain: string, fields: Partial<AuthorisationRow> = {}): AuthorisationRow {
  return {
    record: 'authorisation',
    recordKey: domain,
    domain,
    published: domain,
    status: null,
    counts: true,
    licenseKey: null,
    licenseeKey: null,
    ...fields,
  }
}

/** Syncs, and approves a quarantined snapshot, because the guard quarantines small lists. */
export async function syncApproved(
  world: World,
  stream: Stream,
  files: readonly SourceFile[],
  options: SyncOptions,
): Promise<SyncReport> {
  const report = await syncRegister(world, stream, files, options)
  if (report.status !== 'held') return report
  return approveSnapshot(world, {
    snapshotRef: report.snapshot_ref as string,
    reason: 'approved by a test',
    findStream: async () => stream,
    now: options.now,
  })
}

export const day = (number: number): Date => new Date(Date.UTC(2026, 0, number))

export type TestWorld = {
  world: World
  connection: pg.PoolConfig
  /** Returns text such as `blocklisted [{"geo":"poland"}]`, or undefined for an unknown domain. */
  verdictOf(domain: string): Promise<string | undefined>
  rowsOf(table: string): Promise<Record<string, unknown>[]>
  /** Returns facts in force, of one stream or of all, as sorted lines without ids and history. */
  factsInForce(stream?: string): Promise<string[]>
  empty(): Promise<void>
  close(): Promise<void>
}

/** Tables that reference these tables are emptied too. */
const emptied = [
  'register_streams',
  'register_snapshots',
  'register_runs',
  'register_facts',
  'register_probes',
  'companies',
  'company_identities',
  'domains',
  'domain_listings',
  'domain_counts',
  'domain_companies',
  'licenses',
  'license_states',
  'authorisations',
  'blocklist_entries',
  'licensee_states',
  'kept_files',
  'signals',
  'signal_counts',
  'signal_months',
  'signal_totals',
  'dataset_events',
  'verdict_changes',
  'former_authorisations',
  'former_blocklist_entries',
  'former_license_states',
  'former_licensee_states',
  'former_domain_companies',
]

export async function emptyRegisters(database: Database): Promise<void> {
  await emptyTables(database, emptied)
  await sql`update signal_sequence set last_number = 0`.execute(database)
}

export async function openTestWorld(): Promise<TestWorld> {
  const testDatabase = await createTestDatabase()
  const world = openWorld('public', { connection: testDatabase.connection })
  const { database } = world
  return {
    world,
    connection: testDatabase.connection,
    async verdictOf(domain) {
      const { rows } = await sql<{ verdict: string }>`
        select concat_ws(' ', verdict, nullif(licensed_by::text, '[]'),
                         nullif(regexp_replace(blocked_by::text, ',"listed_as"[^}]*', '', 'g'), '[]'))
                 as verdict
          from domains
         where domain = ${domain}`.execute(database)
      return rows[0]?.verdict
    },
    async rowsOf(table) {
      const { rows } = await sql<Record<string, unknown>>`
        select * from ${sql.table(table)} as stored
         order by coalesce(to_jsonb(stored) ->> 'id', to_jsonb(stored) ->> 'number')::bigint`.execute(
        database,
      )
      return rows
    },
    async factsInForce(stream) {
      const { rows } = await sql<{ fact: string }>`
        select fact from (${factsInForce}) facts
         where ${stream ?? null}::text is null or split_part(fact, ' | ', 2) = ${stream ?? null}
         order by fact`.execute(database)
      return rows.map(row => row.fact)
    },
    empty: () => emptyRegisters(database),
    async close() {
      await world.close()
      await testDatabase.drop()
    },
  }
}

/** Leaves out Companies, because the link of a licensee depends on earlier snapshots. */
const factsInForce = sql`
  select concat_ws(' | ', 'entry', entry.stream, record_key, regulator, scope, published, domain,
                   listed_at, delisted_at) as fact
    from blocklist_entries entry
    left join domains domain on domain.id = entry.domain_id
   where known_to is null and listed
  union all
  select concat_ws(' | ', 'license', license.stream, license.record_key, holder.legal_name,
                   license_number, status, license_type, issued_at, expires_at)
    from license_states state
    join licenses license on license.id = state.license_id
    left join licensee_states holder
      on holder.stream = license.stream
     and holder.record_key = state.licensee_key
     and holder.known_to is null
   where state.known_to is null
  union all
  select concat_ws(' | ', 'authorisation', authorisation.stream, authorisation.record_key, domain,
                   market, license.record_key, authorisation.licensee_key, published, status, counts)
    from authorisations authorisation
    join domains domain on domain.id = authorisation.domain_id
    left join licenses license on license.id = authorisation.license_id
   where known_to is null
  union all
  select distinct concat_ws(' | ', 'relation', domain, relation, relation.stream)
    from domain_companies relation
    join domains domain on domain.id = relation.domain_id
   where known_to is null
  union all
  select concat_ws(' | ', 'verdict', domain, verdict, licensed_by,
                   regexp_replace(blocked_by::text, ',"first_listed_at"[^}]*', '', 'g'),
                   licensee_company_id is not null)
    from domains domain
   where verdict <> 'no_record'`
