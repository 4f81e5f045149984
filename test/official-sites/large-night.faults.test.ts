/** Tests a night in which the largest lists have their real sizes. */

import { streams } from '@baize/registers'
import { fictionalNames, type OfficialAnswer, siteOf } from '@baize/registers/test/answers/answer'
import { officialAnswers } from '@baize/registers/test/answers/official-answers'
import { officialLayouts } from '@baize/registers/test/answers/official-layouts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestWorld, type TestWorld } from '../../src/registers/fixture.ts'
import { watchRegister } from '../../src/registers/index.ts'
import { startChild } from '../harness/child.ts'
import { type OfficialSites, startOfficialSites } from './start-official-sites.ts'

const secondsMax = 600
const megabytesMax = 700
/** The numbers of rows in the largest known files. */
const sizes: Readonly<Record<string, number>> = {
  'australia.blocklist': 1_553,
  'estonia.blocklist': 1_849,
  'france.blocklist': 4_418,
  'greece.blocklist': 12_940,
  'italy.blocklist': 12_448,
  'poland.blocklist': 58_000,
}

/** Those that a script draws need a browser. */
const official = streams.filter(
  ({ key, official: { files } }) =>
    officialAnswers[key] !== undefined && files.every(({ resolve }) => resolve.by !== 'rendered'),
)
/** Returns different sites for each stream, because lists of several markets are compared. */
const sitesOf = (key: string, count: number) =>
  fictionalNames(count).map(name => siteOf(`${key.split('.')[0]} ${name}`))

/**
 * Returns the answers of a stream with its file in real size. Pages that link to the file stay unchanged.
 */
function enlarged(key: string, answers: readonly OfficialAnswer[]): readonly OfficialAnswer[] {
  const count = sizes[key]
  if (count === undefined) return answers
  const content = officialLayouts[key]?.(sitesOf(key, count))[0] ?? ''
  return answers.map(each =>
    each.type.startsWith('text/html') ? each : { ...each, body: () => Buffer.from(content) },
  )
}

let testWorld: TestWorld
let sites: OfficialSites
beforeAll(async () => {
  testWorld = await openTestWorld()
  sites = await startOfficialSites(
    Object.entries(officialAnswers).flatMap(([key, answers]) => enlarged(key, answers)),
  )
})
afterAll(async () => {
  await sites.close()
  await testWorld.close()
})

test('all official streams in real size are read within the limits of time and memory', async () => {
  await Promise.all(official.map(stream => watchRegister(testWorld.world, stream, { allowedHosts: [] })))
  const night = await startChild<{ seconds: number; megabytes: number }>(
    '../official-sites/run-night.ts',
    JSON.stringify(testWorld.connection),
    JSON.stringify(sites.environment),
    '2026-11-01T00:30:00Z',
  ).hello
  console.info(
    `a night of ${official.length} streams, ${Object.keys(sizes).length} of them in real size: ` +
      `${Math.round(night.seconds)} s, ${Math.round(night.megabytes)} MB`,
  )
  expect(night.seconds).toBeLessThan(secondsMax)
  expect(night.megabytes).toBeLessThan(megabytesMax)
  const read = (await testWorld.rowsOf('register_snapshots')).filter(each => sizes[each.stream as string])
  expect(
    read.map(({ stream, status, rows, hold_reasons }) => [stream, status, rows, hold_reasons]).toSorted(),
  ).toEqual(Object.entries(sizes).map(([key, rows]) => [key, 'applied', rows, []]))
}, 1_300_000)
