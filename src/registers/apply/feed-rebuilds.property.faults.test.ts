import type { NormalisedRow, Reading, Stream } from '@baize/registers'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  authorisation,
  day,
  entry,
  fakeStream,
  fileOf,
  license,
  licensee,
  openTestWorld,
  syncApproved,
  type TestWorld,
} from '../fixture.ts'
import { storedRows } from '../snapshot/store-files.ts'
import { discardSnapshot } from './discard-snapshot.ts'

let testWorld: TestWorld

beforeAll(async () => {
  testWorld = await openTestWorld()
})
afterAll(() => testWorld.close())

const names = ['a.example', 'b.example', 'c.example'] as const
const licenseKeys = ['L1', 'L2'] as const

/**
 * Generates a consistent register: each license has its holder; one site has a license, one a holder, one
 * neither.
 */
const snapshot: fc.Arbitrary<Reading[]> = fc
  .record({
    holders: fc.record({ C1: fc.constantFrom('One Limited', 'Uno Limited'), C2: fc.constant('Two Limited') }),
    licenses: fc.uniqueArray(
      fc.record({
        key: fc.constantFrom(...licenseKeys),
        holder: fc.constantFrom('C1', 'C2'),
        status: fc.constantFrom('active', 'suspended', 'revoked'),
        licenseType: fc.constantFrom('remote', 'bingo'),
        expiresAt: fc.constantFrom('2027-01-01T00:00:00.000Z', null),
      }),
      { selector: each => each.key },
    ),
    sites: fc.record({
      ofLicense: fc.option(fc.constantFrom(...licenseKeys)),
      ofHolder: fc.boolean(),
      byItself: fc.boolean(),
      counts: fc.boolean(),
    }),
    entries: fc.uniqueArray(fc.record({ name: fc.constantFrom(...names), listed: fc.boolean() }), {
      selector: each => each.name,
    }),
  })
  .map(({ holders, licenses, sites, entries }) => {
    const keys = new Set<string>(licenses.map(each => each.key))
    return [
      ...Object.entries(holders).map(([key, legalName]) => licensee(key, { legalName })),
      ...licenses.map(({ key, holder, ...fields }) => license(key, holder, fields)),
      ...(sites.ofLicense !== null && keys.has(sites.ofLicense)
        ? [authorisation('a.example', { licenseKey: sites.ofLicense })]
        : []),
      ...(sites.ofHolder ? [authorisation('b.example', { licenseeKey: 'C1', counts: sites.counts })] : []),
      ...(sites.byItself ? [authorisation('c.example', { counts: sites.counts })] : []),
      ...entries.map(({ name, listed }) => entry(name, { listed })),
    ]
  })

type Published = Record<string, unknown>
/** The state of a client that follows the feed, by record. */
type State = Map<string, Published>

test('the baseline, recorded corrections, discards and the feed rebuild the facts in force', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(snapshot, fc.boolean(), fc.boolean()), { minLength: 2, maxLength: 5 }),
      async steps => {
        await testWorld.empty()
        let version = 1
        for (const [index, [readings, isNewParser, isDiscarded]] of steps.entries()) {
          if (isNewParser) version += 1
          const options = { takenAt: day(index + 1), now: day(index + 1) }
          const { status, snapshot_ref } = await syncApproved(
            testWorld.world,
            readBy(version),
            [fileOf(...readings)],
            options,
          )
          if (isDiscarded && index > 0 && status === 'applied') {
            const discard = { snapshotRef: snapshot_ref as string, reason: 'a wrong file' }
            await discardSnapshot(testWorld.world, { ...discard, now: day(index + 1) })
          }
        }
        expect(sorted(await follow())).toEqual(sorted(stateOf(await lastRows())))
      },
    ),
    { numRuns: 15 },
  )
})

/** A later parser renames the license types, which corrects every license. */
function readBy(parserVersion: number): Stream {
  const stream = fakeStream('ukgc.licences')
  return {
    ...stream,
    parserVersion,
    async *read(files) {
      for await (const reading of stream.read(files))
        yield reading.record === 'license'
          ? { ...reading, licenseType: `${reading.licenseType} v${parserVersion}` }
          : reading
    },
  }
}

/** Rebuilds the state from snapshots without Signals, and from the Signals of the others. */
async function follow(): Promise<State> {
  const signals = await testWorld.rowsOf('signals')
  let state: State = new Map()
  for (const snapshot of await testWorld.rowsOf('register_snapshots')) {
    if (snapshot.number === 1 || snapshot.is_correction) {
      state = stateOf(
        await Array.fromAsync(storedRows(testWorld.world.database, snapshot.rows_sha256 as Buffer)),
      )
    } else {
      for (const signal of signals.filter(each => each.snapshot_id === snapshot.id))
        applySignal(state, signal)
    }
  }
  return state
}

async function lastRows(): Promise<NormalisedRow[]> {
  const last = (await testWorld.rowsOf('register_snapshots')).findLast(row => row.status === 'applied')
  return Array.fromAsync(storedRows(testWorld.world.database, last?.rows_sha256 as Buffer))
}

function applySignal(state: State, signal: Record<string, unknown>): void {
  const { change_set } = signal.content as { change_set: Record<string, never> }
  const key = `${signal.record_kind} ${signal.record_key}`
  if (signal.record_kind === 'blocklist_entry') {
    if (signal.event_type === 'removed_from_register') state.delete(key)
    else state.set(key, { domain: (change_set as { domain?: string }).domain })
    return
  }
  if (signal.event_type === 'removed_from_register') state.delete(key)
  else if ('after' in change_set) state.set(key, published(change_set.after))
  else {
    const record = state.get(key) ?? published({ authorized_domains: [] })
    record.legal_entity = signal.published_legal_name
    state.set(key, record)
    for (const [field, change] of Object.entries(change_set) as [string, Record<string, never>][]) {
      if (field !== 'authorized_domains') record[field] = change.after
      else {
        const { added, removed } = change as unknown as { added: string[]; removed: string[] }
        const kept = (record.authorized_domains as string[]).filter(domain => !removed.includes(domain))
        record.authorized_domains = [...kept, ...added].sort()
      }
    }
  }
}

function published({
  status,
  license_type,
  expires_at,
  legal_entity,
  authorized_domains,
}: Published): Published {
  return {
    status: status ?? null,
    license_type: license_type ?? null,
    expires_at: expires_at ?? null,
    legal_entity: legal_entity ?? null,
    authorized_domains,
  }
}

/** Returns the records of normalised rows: licenses, holders without a license, sites, entries. */
function stateOf(rows: readonly NormalisedRow[]): State {
  const state: State = new Map()
  const sites = rows.filter(row => row.record === 'authorisation')
  const licenses = rows.filter(row => row.record === 'license')
  const domains = (of: (row: (typeof sites)[number]) => boolean) =>
    sites
      .filter(row => row.counts && of(row))
      .map(row => row.domain)
      .sort()
  for (const row of rows) {
    if (row.record === 'license') {
      const holder = rows.find(each => each.record === 'licensee' && each.recordKey === row.licenseeKey)
      state.set(
        `license ${row.recordKey}`,
        published({
          status: row.status,
          license_type: row.licenseType,
          expires_at: row.expiresAt?.slice(0, 10),
          legal_entity: holder?.record === 'licensee' ? holder.legalName : null,
          authorized_domains: domains(site => site.licenseKey === row.recordKey),
        }),
      )
    } else if (row.record === 'licensee') {
      const own = domains(site => site.licenseKey === null && site.licenseeKey === row.recordKey)
      if (own.length === 0 && licenses.some(each => each.licenseeKey === row.recordKey)) continue
      state.set(
        `licensee ${row.recordKey}`,
        published({ legal_entity: row.legalName, authorized_domains: own }),
      )
    } else if (row.record === 'authorisation' && row.licenseKey === null && row.licenseeKey === null) {
      const authorized_domains = row.counts ? [row.domain] : []
      state.set(`authorisation ${row.recordKey}`, published({ status: row.status, authorized_domains }))
    } else if (row.record === 'blocklist_entry' && row.listed) {
      state.set(`blocklist_entry ${row.recordKey}`, { domain: row.domain })
    }
  }
  return state
}

/** Leaves out holders without a site, which licenses already describe. */
function sorted(state: State): [string, Published][] {
  const isRecord = ([key, record]: [string, Published]) =>
    !key.startsWith('licensee ') || (record.authorized_domains as string[]).length > 0
  return [...state].filter(isRecord).sort(([one], [other]) => (one < other ? -1 : 1))
}
