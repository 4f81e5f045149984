/** Interrupted downloads of what regulators really published, where this machine holds it. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { realSnapshots } from '../../scripts/journey-files.ts'
import { fileOfBytes } from './file-of-bytes.ts'
import { openTestWorld, type TestWorld } from './fixture.ts'
import { findStream } from './streams/index.ts'
import { syncRegister } from './sync-register.ts'

const directory = fileURLToPath(new URL('../../../shared/data/', import.meta.url))
const cutsPerSnapshot = 3

let held: TestWorld

beforeAll(async () => {
  held = await openTestWorld()
})
afterAll(() => held.close())

describe.skipIf(!existsSync(directory))('a real file that is cut off anywhere is refused or held:', () => {
  const snapshots = existsSync(directory) ? realSnapshots(directory) : []
  const readable = snapshots.filter(({ files }) => !files.some(file => file.endsWith('.html')))
  test.each(readable.map(each => [`${each.stream} of ${each.takenAt.slice(0, 10)}`, each] as const))(
    '%s',
    async (_title, { stream: key, files }) => {
      const stream = findStream(key)
      if (stream === undefined) throw new Error(`no stream ${key}`)
      const contents = await Promise.all(files.map(file => readFile(file)))
      const sync = (parts: readonly Uint8Array[], hour: number) =>
        syncRegister(
          held.world,
          stream,
          parts.map((part, index) => fileOfBytes(`file-${index}`, part)),
          { takenAt: new Date(Date.UTC(2026, 10, 1, hour)), now: new Date(Date.UTC(2026, 10, 2)) },
        )
      await held.empty()
      expect((await sync(contents, 0)).status).toBe('applied')
      const before = await held.factsInForce()
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
          expect(await held.factsInForce()).toEqual(before)
        }),
        { numRuns: cutsPerSnapshot, endOnFailure: true },
      )
    },
    60_000,
  )
})
