import type { Database, World } from '../../database/open.ts'
import { findSharedEmployers, readDatasetVersion, readReachable, readWordsCounts } from './contacts-store.ts'
import { readTitle } from './read-title.ts'
import { type RoleKey, roleKeys } from './role-glossary.ts'
import { distinctPeople, wordsOf } from './select-people.ts'

type Coverage = { title: number; headline_only: number; measured_at: string }
export type Coverages = Record<RoleKey, Coverage>

/** Small enough not to block the event loop. */
const titlesAtOnce = 1_000

const counted = new WeakMap<World, { version: number; day: string; coverages: Promise<Coverages> }>()

/** Cached per day and version of the dataset. */
export async function countCoverage(world: World, now: Date): Promise<Coverages> {
  const version = await readDatasetVersion(world.replica)
  const day = now.toISOString().slice(0, 10)
  const cached = counted.get(world)
  if (cached !== undefined && cached.version === version && cached.day === day) return cached.coverages
  const coverages = count(world.replica, day)
  counted.set(world, { version, day, coverages })
  coverages.catch(() => {
    if (counted.get(world)?.coverages === coverages) counted.delete(world)
  })
  return coverages
}

async function count(database: Database, day: string): Promise<Coverages> {
  const coverages = Object.fromEntries(
    roleKeys.map(key => [key, { title: 0, headline_only: 0, measured_at: day }]),
  ) as Coverages
  const add = (words: string, by: 'title' | 'headline_only', people: number) => {
    for (const key of readTitle(words).roleKeys) coverages[key][by] += people
  }
  let after = { by_headline: false, words: '' }
  for (;;) {
    const rows = await readWordsCounts(database, after, titlesAtOnce)
    for (const { by_headline, words, people } of rows)
      add(words, by_headline ? 'headline_only' : 'title', people)
    const last = rows.at(-1)
    if (last === undefined || rows.length < titlesAtOnce) break
    after = last
  }
  // A merged Company may contain the same person twice; count each once.
  for (const employer of await findSharedEmployers(database)) {
    const contacts = await readReachable(database, employer)
    const people = new Set(distinctPeople(contacts))
    for (const contact of contacts) {
      const words = wordsOf(contact)
      if (words !== null && !people.has(contact))
        add(words, contact.title === null ? 'headline_only' : 'title', -1)
    }
  }
  return coverages
}
