/** Interrupts downloads of real files. The tests are skipped without these files. */

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { findStream } from '@baize/registers'
import { fileOfBytes } from '@baize/tables'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { realSnapshots } from '../../../scripts/journey-files.ts'
import { syncRegister } from '../apply/sync-register.ts'
import { openTestWorld, type TestWorld } from '../fixture.ts'

const directory = fileURLToPath(new URL('../../../../shared/data/', import.meta.url))
const cutsPerSnapshot = 1
const cutsPerPair = 1
const lineBreak = 0x0a

let testWorld: TestWorld

beforeAll(async () => {
  testWorld = await openTestWorld()
})
afterAll(() => testWorld.close())

describe.skipIf(!existsSync(directory))('a real file that is cut off', () => {
  const snapshots = existsSync(directory) ? realSnapshots(directory) : []
  const readable = snapshots.filter(({ files }) => !files.some(file => file.endsWith('.html')))
  test.each(readable.map(each => [`${each.stream} of ${each.takenAt.slice(0, 10)}`, each] as const))(
    'the file of %s, cut off anywhere, is refused or quarantined',
    async (_title, { stream: key, files }) => {
      const stream = findStream(key)
      if (stream === undefined) throw new Error(`no stream ${key}`)
      const contents = await Promise.all(files.map(file => readFile(file)))
      const sync = (parts: readonly Uint8Array[], hour: number) =>
        syncRegister(
          testWorld.world,
          stream,
          parts.map((part, index) => fileOfBytes(`file-${index}`, part)),
          { takenAt: new Date(Date.UTC(2026, 10, 1, hour)), now: new Date(Date.UTC(2026, 10, 2)) },
        )
      await testWorld.empty()
      expect((await sync(contents, 0)).status).toBe('applied')
      const before = await testWorld.factsInForce()
      const cut = fc.nat({ max: contents.length - 1 }).chain(file => {
        const bytes = (contents[file] as Buffer).length
        return fc.record({ file: fc.constant(file), bytes: fc.nat({ max: bytes - 1 }) })
      })
      let hour = 0
      await fc.assert(
        fc.asyncProperty(cut, async ({ file, bytes }) => {
          hour += 1
          const parts = contents.map((content, index) =>
            index === file ? content.subarray(0, bytes) : content,
          )
          const { status } = await sync(parts, hour)
          expect(['held', 'refused']).toContain(status)
          expect(await testWorld.factsInForce()).toEqual(before)
        }),
        { numRuns: cutsPerSnapshot, endOnFailure: true },
      )
    },
    60_000,
  )
})

describe.skipIf(!existsSync(directory))('the newer file of a real pair that is cut off', () => {
  const snapshots = existsSync(directory) ? realSnapshots(directory) : []
  const readable = snapshots.filter(({ files }) => !files.some(file => file.endsWith('.html')))
  const pairs = readable.flatMap(newer => {
    const older = readable
      .filter(({ stream, takenAt }) => stream === newer.stream && takenAt < newer.takenAt)
      .at(-1)
    return older === undefined || newer.files.length > 1 ? [] : [[older, newer] as const]
  })
  test.each(pairs.map(pair => [`${pair[0].stream} of ${pair[1].takenAt.slice(0, 10)}`, ...pair] as const))(
    'the file of %s, cut off anywhere, removes nothing of the older file',
    async (_title, older, newer) => {
      const stream = findStream(older.stream)
      if (stream === undefined) throw new Error(`no stream ${older.stream}`)
      const [before, after] = await Promise.all([
        readFile(older.files[0] as string),
        readFile(newer.files[0] as string),
      ])
      const sync = (content: Uint8Array, hour: number) =>
        syncRegister(testWorld.world, stream, [fileOfBytes('file', content)], {
          takenAt: new Date(Date.UTC(2026, 10, 1, hour)),
          now: new Date(Date.UTC(2026, 10, 2)),
        })
      const afterOlder = async (content: Uint8Array) => {
        await testWorld.empty()
        await sync(before, 0)
        return sync(content, 1)
      }
      const olderEndsLine = before.at(-1) === lineBreak
      await fc.assert(
        fc.asyncProperty(fc.nat({ max: after.length - 2 }), async bytes => {
          const cut = after.subarray(0, bytes)
          const report = await afterOlder(cut)
          const endsLine = cut.at(-1) === lineBreak
          // Only the missing records show a cut between two lines of the older file.
          if (olderEndsLine && !endsLine) expect(['held', 'refused']).toContain(report.status)
          else if (report.status === 'applied')
            expect(report.removed).toBeLessThanOrEqual((await afterOlder(after)).removed + 10)
        }),
        { numRuns: cutsPerPair, endOnFailure: true },
      )
    },
    120_000,
  )
})
