import type { RegisterChangeContent } from '@baize/registers/changes'
import { sql } from 'kysely'
import { derivedRef, newRef } from '../../core/ref.ts'
import type { Transaction, World } from '../../database/open.ts'
import { lockFacts } from '../../journal/index.ts'
import type { RegisterChangeDraft, SignalDraft } from './draft.ts'
import { numberSignals } from './index.ts'

/** Writes the rows that a sync would write, without a register, for tests. */

type StreamFields = {
  market: string
  covers?: string[]
  sourceClaim?: string
  cadenceHours?: number
  confirmedAt?: Date | null
}

export async function addStream(world: World, stream: string, fields: StreamFields): Promise<void> {
  const confirmedAt = fields.confirmedAt === undefined ? new Date('2026-10-31T12:00:00Z') : fields.confirmedAt
  await sql`
    insert into register_streams (stream, market, covers, last_taken_at, last_confirmed_at, last_run_at,
                                  regulator, regulator_country_code, official_url, source_claim,
                                  qualification, source_identity, cadence_hours, makes_market_entries)
    values (${stream}, ${fields.market}, ${fields.covers ?? ['register']},
            ${confirmedAt}, ${confirmedAt}, ${confirmedAt}, 'Regulator of Tests', 'XX',
            'https://regulator.example/', ${fields.sourceClaim ?? 'license'}, 'Published by the regulator.',
            ${`Register ${stream}`}, ${fields.cadenceHours ?? 24},
            ${(fields.covers ?? ['register']).includes('register')})
    on conflict (stream) do update set last_confirmed_at = excluded.last_confirmed_at`.execute(world.database)
}

export async function quarantineStream(world: World, stream: string, reasons: string[]): Promise<void> {
  const ref = newRef('snap')
  await sql`
    with file as (
      insert into kept_files (sha256, bytes) values (${Buffer.alloc(32)}, 0)
      on conflict (sha256) do update set bytes = 0
      returning sha256
    ),
    quarantined as (
      insert into register_snapshots (snapshot_ref, stream, status, taken_at, content_sha256, parser_version,
                                      rows, rejected, rejected_by_reason, rejects, undecided, added, removed,
                                      changed, files, rows_sha256, figures, form, hold_reasons)
      select ${ref}, ${stream}, 'held', now(), ${Buffer.alloc(32)}, 1, 0, 0, '{}', '[]', 0, 0, 0, 0, '[]',
             file.sha256, '{}', 'official', ${reasons}
        from file
      returning id
    )
    update register_streams
       set quarantined_snapshot_id = quarantined.id
      from quarantined
     where stream = ${stream}`.execute(world.database)
}

export type Licensed = { companyId: number; companyRef: string; licenseId: number; licenseRef: string }

export async function addLicense(world: World, stream: string, recordKey: string): Promise<Licensed> {
  const [companyRef, licenseRef] = [newRef('co'), newRef('lic')]
  const { rows } = await sql<{ company_id: number; license_id: number }>`
    with company as (
      insert into companies (company_ref, subject_kind, role)
      values (${companyRef}, 'legal_entity', '{operator}')
      returning id
    ),
    license as (
      insert into licenses (license_ref, stream, record_key, jurisdiction, company_id, first_seen_at)
      select ${licenseRef}, ${stream}, ${recordKey}, 'ukgc', company.id, now() from company
      returning id, company_id
    )
    select id as license_id, company_id from license`.execute(world.database)
  const { company_id: companyId, license_id: licenseId } = rows[0] as {
    company_id: number
    license_id: number
  }
  await sql`
    insert into license_states (license_id, license_number, known_from)
    values (${licenseId}, ${recordKey}, now())`.execute(world.database)
  return { companyId, companyRef, licenseId, licenseRef }
}

type DraftFields = Partial<Omit<RegisterChangeDraft, 'content'>> & {
  content?: Partial<RegisterChangeContent>
}

let drafted = 0

/** Drafts a license added to the register `ukgc.licences`; `fields` override this. */
export function registerChange({ content, ...fields }: DraftFields = {}): RegisterChangeDraft {
  drafted += 1
  const recordKey = fields.recordKey ?? `record-${drafted}`
  const legalName = fields.publishedLegalName === undefined ? 'Otter Limited' : fields.publishedLegalName
  const license = {
    license_number: recordKey,
    license_type: 'Remote Casino',
    status: 'active',
    issued_at: '2026-03-01',
    expires_at: null,
    source_url: null,
  }
  return {
    type: 'register_change',
    signalRef: derivedRef('sig', ['test', String(drafted)]),
    stream: 'ukgc.licences',
    market: 'ukgc',
    eventType: 'added_to_register',
    recordKind: 'license',
    recordKey,
    isMarketEntry: false,
    companyId: null,
    licenseId: null,
    publishedLegalName: legalName,
    formerLegalName: null,
    headline: `${legalName} (license ${recordKey}): added to the register of the Regulator of Tests`,
    occurredAt: new Date('2026-03-02T12:00:00Z'),
    detectedAt: new Date('2026-03-02T12:30:00Z'),
    // The column references a snapshot. It may be null.
    snapshotId: null as unknown as number,
    ...fields,
    content: {
      license,
      role: 'operator',
      brand: null,
      authorized_domains: [],
      change_set: { after: { ...license, legal_entity: legalName, authorized_domains: [] } },
      source_url: 'https://regulator.example/register',
      observed_at: '2026-03-02T12:00:00.000Z',
      ...content,
    },
  }
}

export function blocklistChange(domain: string, fields: DraftFields = {}): RegisterChangeDraft {
  return registerChange({
    stream: 'poland.blocklist',
    market: 'poland',
    recordKind: 'blocklist_entry',
    recordKey: domain,
    publishedLegalName: null,
    headline: `${domain} listed on the blocklist of the Regulator of Tests`,
    ...fields,
    content: {
      license: null,
      role: null,
      change_set: { domain, published: domain, scope: 'domain', listed_at: null, delisted_at: null },
      ...fields.content,
    },
  })
}

/** Numbers the drafts in a separate transaction, as every writer of facts does. */
export function addSignals(world: World, ...drafts: SignalDraft[]): Promise<number> {
  return inTransaction(world, tx => numberSignals(tx, drafts))
}

export function inTransaction<Result>(
  world: World,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return world.database.transaction().execute(async tx => {
    await lockFacts(tx)
    return work(tx)
  })
}
