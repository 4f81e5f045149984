import { jobFunctions, type RoleKey, readTitle, roleGlossary, roleKeys, seniorities } from '@baize/titles'
import { Type } from 'typebox'
import { closedObject, namedObject, oneOf } from '../../core/schema.ts'
import type { Database, World } from '../../database/open.ts'
import { defineOperation } from '../operation.ts'
import { findSharedEmployers, readContactsVersion, readReachable, readWordsCounts } from './contacts-store.ts'
import example from './list-roles.example.json' with { type: 'json' }
import { distinctPeople, titleOrHeadline } from './select-people.ts'

type Coverage = { title: number; headline_only: number; measured_at: string }
type Coverages = Record<RoleKey, Coverage>

/** The number of titles read at once, small enough not to block the event loop. */
const titlesAtOnce = 1_000

const counted = new WeakMap<World, { version: number; day: string; coverages: Promise<Coverages> }>()

/** Counts people by role. The counts are cached per day and dataset version. */
async function countCoverage(world: World, now: Date): Promise<Coverages> {
  const version = await readContactsVersion(world.replica)
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
  // A merged Company may have the same person twice, who is counted once.
  for (const employer of await findSharedEmployers(database)) {
    const contacts = await readReachable(database, employer)
    const people = new Set(distinctPeople(contacts))
    for (const contact of contacts) {
      const words = titleOrHeadline(contact)
      if (words !== null && !people.has(contact))
        add(words, contact.title === null ? 'headline_only' : 'title', -1)
    }
  }
  return coverages
}

const daySeconds = 24 * 60 * 60

export const listRoles = defineOperation({
  name: 'list_roles',
  method: 'GET',
  path: '/v1/people/roles',
  tag: 'Companies',
  section: '§4.8',
  summary: 'The role glossary of the people filter',
  description: `The keys of the \`role\` filter: their meaning, the titles they match and the number of
matching people across all Companies. Free, and cacheable for a day.`,
  query: closedObject({}),
  data: closedObject({
    roles: Type.Array(
      namedObject('GlossaryRole', {
        key: oneOf(roleKeys, { named: 'RoleKey', description: 'A value of `role`.' }),
        description: Type.String(),
        seniority: oneOf([...seniorities, 'any'], {
          description: 'The seniority; `lead` and `director` include all higher levels.',
        }),
        function: oneOf([...jobFunctions, 'any']),
        synonyms: Type.Array(Type.String(), {
          description:
            'Spellings that match, as whole words; case and accents are ignored. Other forms and word ' +
            'orders match too.',
        }),
        coverage: closedObject({
          title: Type.Integer({ description: 'People whose job title matches.' }),
          headline_only: Type.Integer({
            description: 'People without a title whose headline matches.',
          }),
          measured_at: Type.String({ format: 'date' }),
        }),
      }),
    ),
  }),
  prices: [],
  cacheSeconds: daySeconds,
  failures: [],
  demo: [{ title: 'The glossary', query: {} }],
  example,

  async quote({ world, now }) {
    const coverages = await countCoverage(world, now)
    const roles = roleGlossary().map(role => ({
      ...role,
      synonyms: [...role.synonyms],
      coverage: coverages[role.key],
    }))
    return { ceiling: 0, deliver: async () => ({ data: { roles }, charges: [] }) }
  },
})
