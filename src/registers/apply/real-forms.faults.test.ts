/** These tests sync real lists of mirrors, then the same sites in the official layout. */

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findStream, type Stream } from '@baize/registers'
import { officialFiles, officialLayouts } from '@baize/registers/test/answers/official-layouts'
import { gather } from '@baize/registers/test/gather'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { realSnapshots } from '../../../scripts/journey-files.ts'
import { openTestWorld, type TestWorld } from '../fixture.ts'
import { sourceFileFrom } from '../index.ts'
import { syncRegister } from './sync-register.ts'

const directory = fileURLToPath(new URL('../../../../shared/data/', import.meta.url))
const snapshots = existsSync(directory)
  ? realSnapshots(directory).filter(({ stream }) => officialLayouts[stream] && stream !== 'italy.blocklist')
  : []

let testWorld: TestWorld
beforeAll(async () => {
  testWorld = await openTestWorld()
})
afterAll(() => testWorld.close())

describe.skipIf(snapshots.length === 0)('other forms of real lists (skipped without ../shared/data)', () => {
  test.each(snapshots)(
    'the official form of the real list $stream is not a change',
    async ({ stream: key, takenAt, files }) => {
      const stream = findStream(key) as Stream
      const sources = await Promise.all(files.map(sourceFileFrom))
      const at = { takenAt: new Date(takenAt), now: new Date('2026-11-01T00:00:00Z') }
      expect(await syncRegister(testWorld.world, stream, sources, at)).toMatchObject({ status: 'applied' })
      const { blocklist_entry, authorisation } = await gather(stream.read(sources))
      const sites = [...blocklist_entry, ...authorisation].map(row => row.published)
      const night = new Date('2026-11-02T00:00:00Z')
      const official = officialFiles(key, sites)
      const report = await syncRegister(testWorld.world, stream, official, { takenAt: night, now: night })
      expect(report).toMatchObject({
        status: 'applied',
        reasons: [],
        added: 0,
        removed: 0,
        changed: 0,
        signals: 0,
      })
    },
    300_000,
  )
})
