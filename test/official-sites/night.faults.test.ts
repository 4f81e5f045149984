/** Tests a night of all streams whose official site's answers are declared (official-answers.ts). */

import { setTimeout as pause } from 'node:timers/promises'
import { streams } from '@baize/registers'
import { officialAnswers } from '@baize/registers/test/answers/official-answers'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { readSettings } from '../../src/config/settings.ts'
import { verifySignals } from '../../src/features/signals/index.ts'
import { openTestWorld, type TestWorld } from '../../src/registers/fixture.ts'
import {
  approveSnapshot,
  findKnownStream,
  listRegisters,
  probeAll,
  watchRegister,
} from '../../src/registers/index.ts'
import { startChild } from '../harness/child.ts'
import { type OfficialSites, startOfficialSites } from './start-official-sites.ts'

const secondsMax = 600
const megabytesMax = 700
const kills = 5
const first = '2026-11-01T00:30:00Z'
const second = '2026-11-03T05:00:00Z'

/** Those that a script draws need a browser (rendered-registers.faults.test.ts). */
const official = streams.filter(
  ({ key, official: { files } }) =>
    officialAnswers[key] !== undefined && files.every(({ resolve }) => resolve.by !== 'rendered'),
)

let testWorld: TestWorld
let sites: OfficialSites

beforeAll(async () => {
  testWorld = await openTestWorld()
  sites = await startOfficialSites(Object.values(officialAnswers).flat())
})
afterEach(async () => {
  expect(await verifySignals(testWorld.world.database)).toEqual([])
  await testWorld.empty()
  sites.requests.length = 0
})
afterAll(async () => {
  await sites.close()
  await testWorld.close()
})

type Night = { seconds: number; megabytes: number }

const startNight = (time: string) =>
  startChild<Night>(
    '../official-sites/run-night.ts',
    JSON.stringify(testWorld.connection),
    JSON.stringify(sites.environment),
    time,
  )

const watchAll = () =>
  Promise.all(official.map(stream => watchRegister(testWorld.world, stream, { allowedHosts: [] })))

const listed = () => listRegisters(testWorld.world, official, new Date(first))

/** Approves each first snapshot, because small fixtures are below its limits. */
async function approveAll(): Promise<void> {
  for (const { held: waiting } of await listed()) {
    if (waiting === null) continue
    const report = await approveSnapshot(testWorld.world, {
      snapshotRef: waiting.snapshot_ref,
      reason: 'The fixture is smaller than the register.',
      findStream: findKnownStream,
      now: new Date(first),
    })
    expect(report).toMatchObject({ status: 'applied' })
  }
}

const unread = async () =>
  (await listed()).filter(each => each.last_snapshot === null).map(each => each.stream)

describe('a night of all official streams', () => {
  test('a night reads all official streams within its limits, and the next night confirms them', async () => {
    await watchAll()
    const night = await startNight(first).hello
    console.info(
      `a night of ${official.length} streams: ${Math.round(night.seconds)} s, ` +
        `${Math.round(night.megabytes)} MB`,
    )
    expect(night.seconds).toBeLessThan(secondsMax)
    expect(night.megabytes).toBeLessThan(megabytesMax)
    const refused = (await testWorld.rowsOf('register_runs')).filter(run => run.status === 'refused')
    expect(refused.map(({ stream, reasons }) => [stream, reasons])).toEqual([])
    await approveAll()
    expect(await unread()).toEqual([])
    for (const host of new Set(sites.requests.map(each => each.host))) expectGaps(host)

    const facts = await testWorld.factsInForce()
    const runs = new Set((await testWorld.rowsOf('register_runs')).map(run => run.id))
    const asked = sites.requests.length
    await startNight(second).hello
    expect(await testWorld.factsInForce()).toEqual(facts)
    const runsAfter = (await testWorld.rowsOf('register_runs')).filter(run => !runs.has(run.id))
    expect(runsAfter.filter(run => run.status !== 'unchanged')).toEqual([])
    expect(runsAfter.map(run => run.stream).toSorted()).toEqual(official.map(each => each.key))
    expect(sites.requests.length).toBeGreaterThan(asked)
    const downloads = sites.requests.slice(asked).filter(each => each.status === 200)
    expect(downloads.filter(isFile)).toEqual([])
  }, 1_300_000)

  test('a night that is killed at any moment is finished by the next worker with equal facts', async () => {
    await watchAll()
    await startNight(first).hello
    await approveAll()
    const facts = await testWorld.factsInForce()
    await testWorld.empty()
    await watchAll()
    for (let kill = 0; kill < kills; kill += 1) {
      const night = startNight(first)
      await pause(1_000 + Math.random() * 5_000)
      await night.kill()
    }
    await startNight(first).hello
    await approveAll()
    expect(await testWorld.factsInForce()).toEqual(facts)
    const applied = (await testWorld.rowsOf('register_snapshots')).filter(each => each.status === 'applied')
    expect(applied.map(each => each.stream).toSorted()).toEqual(official.map(each => each.key))
  }, 1_300_000)

  test("a probe of each official stream recognises its site's answer", async () => {
    const { network } = readSettings(sites.environment)
    const reports = await probeAll(testWorld.world, official, { network, now: () => new Date(first) })
    for (const report of reports) {
      const { stream, reasons } = report
      const otherReasons = reasons.filter(reason => !/rows_min|common with|elsewhere/.test(reason))
      expect({ ...report, stream, otherReasons }).toMatchObject({
        otherReasons: [],
        is_reachable: true,
        is_layout_recognised: true,
      })
    }
    expect(await testWorld.factsInForce()).toEqual([])
  }, 600_000)
})

/**
 * Checks for a file that a server can confirm. Pages that link to a file are read again to find it, and the
 * answer to a POST is never conditional.
 */
function isFile({ url, type }: OfficialSites['requests'][number]): boolean {
  const own = official.flatMap(each => each.official.files).find(file => file.url === url)
  if (own?.request !== undefined || own?.resolve.by === 'json_field') return false
  return own?.resolve.by === 'direct' || !type?.startsWith('text/html')
}

/** Checks that requests to a host are two seconds apart. A request may be late while modules are loaded. */
function expectGaps(host: string): void {
  const times = sites.requests.filter(each => each.host === host).map(each => each.at)
  const [begin = 0, end = 0] = [times[0], times.at(-1)]
  expect(end - begin, host).toBeGreaterThanOrEqual((times.length - 1) * 2_000 - 1_500)
}
