import type { Reading } from '@baize/registers'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadLines } from '../../../test/harness/load-lines.ts'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import {
  authorisation,
  day,
  emptyRegisters,
  entry,
  fakeStream,
  fileOf,
  license,
  licensee,
  syncApproved,
} from '../../registers/fixture.ts'
import { discardSnapshot } from '../../registers/index.ts'
import { mergeCompanies } from '../companies/index.ts'
import { verifyVerdictChanges } from '../verdict-changes/index.ts'

let service: TestService
let customer: Customer

beforeAll(async () => {
  service = await startService()
  customer = await service.customer({ credits: 1_000_000 })
})
afterAll(() => service.close())

const names = ['a.example', 'b.example', 'c.example'] as const
const domain = fc.constantFrom(...names)
const licenseKey = fc.constantFrom('L1', 'L2')
const licenseeKey = fc.constantFrom('C1', 'C2')
const date = fc.constantFrom(day(1).toISOString(), day(2).toISOString(), null)
const hosts = fc.constantFrom('', 'm.', 'poker.')

const reading: fc.Arbitrary<Reading> = fc.oneof(
  fc
    .record({ listed: fc.boolean(), listedAt: date, delistedAt: date, host: hosts })
    .chain(({ host, ...fields }) =>
      domain.map(name => {
        const listedAs = `${host}${name}`
        const scope = host === 'poker.' ? ('host' as const) : ('domain' as const)
        return entry(name, { ...fields, recordKey: listedAs, published: listedAs, listedAs, scope })
      }),
    ),
  licenseeKey.map(key => licensee(key)),
  fc
    .record({
      status: fc.constantFrom('active', 'revoked', null),
      licenseNumber: fc.constantFrom('7', '8'),
      issuedAt: fc.constantFrom('2014-05-01T00:00:00.000Z', day(2).toISOString(), null),
    })
    .chain(fields => fc.tuple(licenseKey, licenseeKey).map(([key, holder]) => license(key, holder, fields))),
  fc
    .record({ counts: fc.boolean(), licenseKey: fc.option(licenseKey), licenseeKey: fc.option(licenseeKey) })
    .chain(fields => domain.map(name => authorisation(name, fields))),
)

const line = fc.oneof(
  fc
    .record({ listed: fc.boolean(), last: fc.constantFrom('2025-03-01', '2025-04-01'), domain })
    .map(({ listed, last, domain }) => ({
      ...{ kind: 'blocklist_entry', regulator: 'poland', domain, listed },
      last_seen_at: `${last}T00:00:00Z`,
    })),
  fc
    .record({ status: fc.constantFrom('active', 'suspended'), domains: fc.subarray([...names]) })
    .map(({ status, domains }) => ({
      ...{ kind: 'license', jurisdiction: 'mga', license_number: 'I1', status },
      authorized_domains: domains,
    })),
)

const step = fc.oneof(
  fc.record({
    kind: fc.constant('sync' as const),
    register: fc.constantFrom('malta.sites', 'sweden.sites'),
    readings: fc.array(reading, { minLength: 1, maxLength: 8 }),
    isNewParser: fc.boolean(),
    isBackfill: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('discard' as const),
    register: fc.constantFrom('malta.sites', 'sweden.sites'),
    isWholeHistory: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('import' as const), lines: fc.array(line, { minLength: 1, maxLength: 2 }) }),
  fc.record({ kind: fc.constant('merge' as const) }),
)

async function currentRef(register: string): Promise<string | undefined> {
  const { rows } = await sql<{ ref: string }>`
    select snapshot_ref as ref
      from register_snapshots snapshot
      join register_streams stream using (stream)
     where stream.stream = ${register} and snapshot.number = stream.snapshot_number`.execute(
    service.service.live.database,
  )
  return rows[0]?.ref
}

async function mergeFirst(now: Date): Promise<void> {
  const { live } = service.service
  const { rows } = await sql<{ ref: string }>`
    select company_ref as ref from companies company
     where merged_into is null
       and exists (select from company_identities identity where identity.company_id = company.id)
     order by id limit 2`.execute(live.database)
  const [into, from] = rows.map(row => row.ref)
  if (into !== undefined && from !== undefined)
    await mergeCompanies(live, { from, into, reason: 'the same party', now })
}

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

async function play(each: Step, index: number, version: number): Promise<void> {
  const { live } = service.service
  const now = day(index + 1)
  if (each.kind === 'import') await loadLines(live, each.lines)
  else if (each.kind === 'merge') await mergeFirst(now)
  else if (each.kind === 'discard') {
    do {
      const snapshotRef = await currentRef(each.register)
      if (snapshotRef === undefined) return
      await discardSnapshot(live, { snapshotRef, reason: 'a wrong file', now })
    } while (each.isWholeHistory)
  } else {
    const stream = fakeStream(each.register, { parserVersion: version })
    const options = { takenAt: now, now, isBackfill: each.isBackfill }
    await syncApproved(live, stream, [fileOf(...each.readings)], options)
  }
}

/** The verdicts without the Company, which has its name of today. */
async function ask(times: object = {}) {
  const domains = [...names, 'poker.a.example']
  const { body } = await customer.ask('/v1/domains/resolve', {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ domains, ...times }),
  })
  if (body.errors?.code === 'before_history') return 'before_history'
  return body.data.verdicts.map(({ company: _company, ...verdict }: { company: unknown }) => verdict)
}

async function databaseTime(): Promise<string> {
  const { rows } = await sql<{ now: Date }>`
    select date_trunc('milliseconds', clock_timestamp()) as now`.execute(service.service.live.database)
  return (rows[0] as { now: Date }).now.toISOString()
}

/** The days that are asked about at each moment: before all snapshots, and between them. */
const otherDays = ['2015-01-01', '2026-01-02T12:00:00Z', '2026-01-04T12:00:00Z']

/** A license of two registers without its Company, which has its name of today. */
async function askLicense(times: Record<string, string>) {
  const asked: unknown[] = []
  for (const jurisdiction of ['malta', 'sweden']) {
    const query = new URLSearchParams({ license_number: '7', jurisdiction, ...times })
    const { body } = await customer.ask(`/v1/licenses/resolve?${query}`)
    const licenses = (body.data?.licenses ?? []) as Record<string, unknown>[]
    asked.push(
      licenses.map(({ company_ref: _, company_name: __, legal_entity: ___, ...profile }) => profile),
      body.errors?.code === 'not_found' ? null : body.errors?.code,
    )
  }
  return asked
}

const askOtherDays = async (times: object = {}) => {
  const answers: unknown[] = []
  for (const as_of of otherDays) {
    answers.push(await ask({ as_of, ...times }))
    answers.push(await askLicense({ as_of, ...times }))
  }
  return answers
}

test('A verdict of a past moment, as it was known then, is the one that was answered then', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async steps => {
      const { live } = service.service
      await emptyRegisters(live.database)
      const answered: { time: string; verdicts: unknown; ofOtherDays: unknown }[] = []
      let version = 1
      for (const [index, each] of steps.entries()) {
        if (each.kind === 'sync' && each.isNewParser) version += 1
        await play(each, index, version)
        const verdicts = await ask()
        answered.push({ verdicts, ofOtherDays: await askOtherDays(), time: await databaseTime() })
      }
      for (const { time, verdicts, ofOtherDays } of answered) {
        const then = await ask({ as_of: time, known_at: time })
        if (then !== 'before_history') expect(then).toEqual(verdicts)
        else
          expect((verdicts as { verdict: string }[]).every(each => each.verdict === 'no_record')).toBe(true)
        expect(await askOtherDays({ known_at: time })).toEqual(ofOtherDays)
      }
      expect((await verifyVerdictChanges(live.database)).differences).toEqual([])
    }),
    {
      numRuns: Number(process.env.TWO_TIMES_RUNS ?? 40),
      endOnFailure: true,
      ...(process.env.TWO_TIMES_SEED === undefined ? {} : { seed: Number(process.env.TWO_TIMES_SEED) }),
    },
  )
})
