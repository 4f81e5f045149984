/** These lists are read from a mirror, then from the regulator, and from the mirror again. */

import { findStream, type Stream } from '@baize/registers'
import { fictionalNames, siteOf } from '@baize/registers/test/answers/answer'
import { officialFiles, officialLayouts } from '@baize/registers/test/answers/official-layouts'
import { fileOfBytes, type SourceFile } from '@baize/tables'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyVerdicts } from '../../features/domains/index.ts'
import { verifyReplay } from '../../verify/replay.ts'
import { day, openTestWorld, type TestWorld } from '../fixture.ts'
import { syncRegister } from './sync-register.ts'

let testWorld: TestWorld
beforeAll(async () => {
  testWorld = await openTestWorld()
})
afterAll(async () => {
  const replayed = await verifyReplay(testWorld.world, testWorld.connection)
  const { differences } = await verifyVerdicts(testWorld.world.database)
  await testWorld.close()
  expect([replayed.differences, differences]).toEqual([[], []])
})

/** The stream has no bounds of first snapshots, because these lists are shorter. */
const streamOf = (key: string): Stream => ({ ...(findStream(key) as Stream), rowsMin: 0 })
const nameOf = (key: string) => key.replaceAll(/[^a-z]/g, ' ')
/** Makes other sites for each stream, because lists of several markets are compared. */
const sitesOf = (key: string) => fictionalNames(30).map(name => siteOf(`${nameOf(key)} ${name}`))
const mirrorOf = (sites: readonly string[]) => [
  fileOfBytes('list.txt', sites.map(site => `${site}\n`).join('')),
]

function sync(stream: Stream, number: number, files: readonly SourceFile[]) {
  return syncRegister(testWorld.world, stream, files, { takenAt: day(number), now: day(number) })
}

/** Returns verdicts without licensees, which only official lists name. */
async function verdictsOf(key: string): Promise<string[]> {
  const facts = await testWorld.factsInForce()
  return facts
    .flatMap(fact => /^verdict \| \S+ \| \S+/.exec(fact) ?? [])
    .filter(fact => fact.includes(siteOf(nameOf(key)).split('.')[0] as string))
}

const ofStream = async (table: string, key: string) =>
  (await testWorld.rowsOf(table)).filter(row => row.stream === key)

const nothing = { status: 'applied', reasons: [], added: 0, removed: 0, changed: 0, signals: 0 }
const exchanged = { ...nothing, added: 1, removed: 1, signals: 2 }

test.each(Object.keys(officialLayouts).filter(key => key !== 'italy.blocklist'))(
  'the list %s in another file format is not a change, but its new and missing rows are',
  async key => {
    const stream = streamOf(key)
    const sites = sitesOf(key)
    const added = siteOf(`${nameOf(key)} new`)
    const addedBack = siteOf(`${nameOf(key)} newer`)
    expect(await sync(stream, 1, mirrorOf(sites))).toMatchObject({ status: 'applied', added: sites.length })
    const before = await verdictsOf(key)
    expect(await sync(stream, 2, officialFiles(key, sites))).toMatchObject(nothing)
    expect(await verdictsOf(key)).toEqual(before)
    expect(await sync(stream, 3, mirrorOf([...sites.slice(1), added]))).toMatchObject(exchanged)
    expect(await sync(stream, 4, officialFiles(key, [addedBack, ...sites.slice(2), added]))).toMatchObject(
      exchanged,
    )
    const forms = (await ofStream('register_snapshots', key)).map(each => each.form)
    expect(forms).toEqual(['mirror', 'official', 'mirror', 'official'])
    const shown = (await ofStream('signals', key)).map(({ content }) =>
      JSON.stringify((content as { change_set: unknown }).change_set),
    )
    for (const site of [sites[0], added, sites[1], addedBack])
      expect(shown.filter(text => text.includes(`"${site}"`))).not.toEqual([])
  },
)
