/** First snapshots from real files are applied if they are of the right stream, and only then. */

import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { findStream, type Stream, streams } from '@baize/registers'
import { fileOfBytes } from '@baize/tables'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RealSnapshot, realSnapshots } from '../../../scripts/journey-files.ts'
import { approveSnapshot } from '../apply/approve-snapshot.ts'
import { syncRegister } from '../apply/sync-register.ts'
import { openTestWorld, type TestWorld } from '../fixture.ts'
import { sourceFileFrom } from '../index.ts'

const directory = fileURLToPath(new URL('../../../../shared/data/', import.meta.url))
const hasRealFiles = existsSync(directory)
const snapshots = hasRealFiles ? realSnapshots(directory) : []
const isFirst = ({ stream, takenAt }: RealSnapshot) =>
  !snapshots.some(other => other.stream === stream && other.takenAt < takenAt)
const readAt = new Date('2026-11-01T00:00:00Z')
const lineBreak = 0x0a

let testWorld: TestWorld
beforeAll(async () => {
  testWorld = await openTestWorld()
})
afterAll(() => testWorld.close())

const streamOf = (key: string) => findStream(key) as Stream

async function sync(stream: Stream, paths: readonly string[], takenAt = readAt) {
  const files = await Promise.all(paths.map(sourceFileFrom))
  return syncRegister(testWorld.world, stream, files, { takenAt, now: readAt })
}

/** Approves quarantined snapshots. */
async function syncReal(chosen: readonly RealSnapshot[]) {
  const outcomes: [string, string, string[]][] = []
  for (const { stream: key, takenAt, files } of chosen) {
    const stream = streamOf(key)
    const { status, reasons, snapshot_ref } = await sync(stream, files, new Date(takenAt))
    outcomes.push([`${key} ${takenAt}`, status, reasons])
    const approval = { snapshotRef: snapshot_ref as string, reason: 'half a year', now: readAt }
    if (status === 'held')
      await approveSnapshot(testWorld.world, { ...approval, findStream: async () => stream })
  }
  return outcomes
}

/** Half a year lies between the first two Czech files, and the first has no history. */
const farApart = [
  'czechia.blocklist 2023-12-30T00:00:00Z',
  'held',
  [
    '32 of 724 entries would be removed; the bound is 14 ' +
      '(2 %, without an earlier change to compare with; of a short list 10, at most a third)',
  ],
]

const applied = (chosen: readonly RealSnapshot[]) =>
  chosen.map(({ stream, takenAt }) => [`${stream} ${takenAt}`, 'applied', []])

/** These folders have reference lists and inputs of other tests: pages of the streams, and broken files. */
const otherFolders = /\/(reference|official-2026|outsiders)(\/|$)/

/** Returns all files that are not of the stream. The last ones are files of no stream. */
function otherFiles(stream: Stream): string[][] {
  const own = [...snapshots.filter(each => each.stream === stream.key).flatMap(each => each.files)]
  const ofNone = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && !otherFolders.test(entry.parentPath))
    .map(entry => `${entry.parentPath.replace(/\/$/, '')}/${entry.name}`)
    .filter(path => !snapshots.some(each => each.files.includes(path)) && !isOfStream(path, stream))
  return [...snapshots.map(each => each.files), ...ofNone.map(path => [path])].filter(
    files => !files.some(file => own.includes(file)),
  )
}

/** Returns whether the file is another form of a register, which the journey does not sync. */
const isOfStream = (path: string, { key }: Stream) =>
  (path.endsWith('register_shape_CONSTRUCTED.xml') && key === 'poland.blocklist') ||
  (path.endsWith('nj_dge_sample.html') && key === 'us_new_jersey.sites')

/**
 * No bound for real lists excludes this file: 6 % of its sites are on other lists of authorised sites, 41 %
 * on blocklists. If the British register is loaded, all are authorised elsewhere.
 */
const unrecognised = /ukgc_active_domains/

describe.skipIf(!hasRealFiles)('real first snapshots (skipped without ../shared/data)', () => {
  test('each real first snapshot is applied by its stream in any order, as are newer files', async () => {
    const firsts = snapshots.filter(isFirst)
    const later = snapshots.filter(each => !isFirst(each) && !each.files.some(file => file.endsWith('.html')))
    await testWorld.empty()
    expect(await syncReal(firsts.toReversed())).toEqual(applied(firsts.toReversed()))
    await testWorld.empty()
    const all = [...firsts, ...later]
    const expected = applied(all).map(outcome => (outcome[0] === farApart[0] ? farApart : outcome))
    expect(await syncReal(all)).toEqual(expected)
  })

  test('the list of Italy that is synced as authorised sites of Spain is quarantined', async () => {
    await testWorld.empty()
    const italy = snapshots.filter(each => each.stream === 'italy.blocklist').at(-1) as RealSnapshot
    expect(await sync(streamOf('spain.sites'), italy.files)).toMatchObject({
      status: 'held',
      reasons: ['first snapshot: 12448 rows, while known files allow no more than 1270 (rows_max)'],
    })
  })

  test('a Greek list that is cut off inside any line is quarantined or refused', async () => {
    const greece = snapshots.find(each => each.stream === 'greece.blocklist') as RealSnapshot
    const whole = await readFile(greece.files[0] as string)
    let minute = 0
    const syncCut = async (bytes: number) => {
      minute += 1
      const takenAt = new Date(readAt.getTime() - 100_000_000 + minute * 60_000)
      const files = [fileOfBytes('list.txt', whole.subarray(0, bytes))]
      return syncRegister(testWorld.world, streamOf('greece.blocklist'), files, { takenAt, now: readAt })
    }
    const { reasons } = await syncCut(Math.floor(whole.length * 0.6))
    expect(reasons).toEqual([
      '"list.txt" ends inside a line, unlike other files of greece.blocklist: it may be cut off',
    ])
    const inside = fc.nat({ max: whole.length - 2 }).filter(bytes => whole[bytes - 1] !== lineBreak)
    await fc.assert(
      fc.asyncProperty(inside, async bytes => {
        expect(['held', 'refused']).toContain((await syncCut(bytes)).status)
      }),
      { numRuns: 12, endOnFailure: true },
    )
  })
})

describe.skipIf(!hasRealFiles)('a world with the first snapshots of all streams', () => {
  beforeAll(async () => {
    await testWorld.empty()
    await syncReal(snapshots.filter(isFirst))
  })

  // Each file is synced to a copy of its stream under a new key, which has no snapshot yet.
  // Its own market is not compared.
  test.each(streams.map(stream => [stream.key, stream] as const))(
    'the stream %s quarantines or refuses the file of every other stream',
    async (key, stream) => {
      const accepted: string[] = []
      for (const [index, files] of otherFiles(stream).entries()) {
        const { status } = await sync({ ...stream, key: `${key}_${index}` }, files)
        if (status === 'applied') accepted.push(...files)
      }
      expect(accepted.filter(file => !unrecognised.test(file))).toEqual([])
    },
    300_000,
  )
})
