import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { declaredData } from '../../../test/harness/declared-schema.ts'
import type { Customer } from '../../../test/harness/service.ts'
import { mergeCompanies } from '../companies/index.ts'
import { creditsUsed, type Line, type PeopleService, person, startPeopleService } from './fixture.ts'
import { nextPeople, noWalk, openWalk, sealWalk, type Walk } from './people-pages.ts'
import { selectPeople } from './select-people.ts'
import { suppressPerson } from './suppress-person.ts'

const schemaErrors = declaredData('list_people')
const now = new Date('2026-11-01T12:00:00Z')
const titles = ['CEO', 'CTO', 'Head of Payments', 'Compliance Manager', 'Clerk', undefined]

let service: PeopleService
let customer: Customer
beforeAll(async () => {
  service = await startPeopleService({ now: () => now, world: 'demo' })
  customer = await service.customer({ credits: 1_000_000 })
})
afterAll(() => service.close())

const world = () => service.service.live
const company = (key: string) => ({ kind: 'company', key, company_name: key })
/** Writes a number as letters, because names ignore punctuation and order. */
const nameOf = (number: number) =>
  `Person ${String.fromCharCode(...[...String(number)].map(digit => 97 + Number(digit)))}`
const crowd = (key: string, count: number, more: (number: number) => Line = () => ({})) =>
  Array.from({ length: count }, (_, number) =>
    person(key, nameOf(number), {
      title: titles[number % titles.length],
      email: `${key}.${number}@crowd.example`,
      ...more(number),
    }),
  )

type Answer = { names: string[]; next: string | null }

async function pageOf(path: string, query: Record<string, string>): Promise<Answer> {
  const before = await creditsUsed(customer)
  const { status, body } = await customer.ask(`${path}?${new URLSearchParams(query)}`)
  expect(status, JSON.stringify(body)).toBe(200)
  expect(schemaErrors(body.data)).toBeNull()
  const { contacts, next_cursor: next, has_more: hasMore, billing } = body.data
  expect(hasMore).toBe(next !== null)
  expect([billing.credits_charged, await creditsUsed(customer)]).toEqual([
    9 * contacts.length,
    before + 9 * contacts.length,
  ])
  return { names: contacts.map((each: { name: string }) => each.name), next }
}

/** Reads all pages; `between` changes the world before each further page. */
async function walk(
  path: string,
  query: Record<string, string> = {},
  between: (page: number) => Promise<unknown> = async () => {},
): Promise<string[]> {
  const names: string[] = []
  let { names: found, next } = await pageOf(path, query)
  for (let page = 1; ; page++) {
    names.push(...found)
    if (next === null) return names
    await between(page)
    ;({ names: found, next } = await pageOf(path, { ...query, after: next }))
  }
}

const peopleOf = async (key: string) => `/v1/companies/${await service.refOf(key)}/people`

describe("pages of a Company's people", () => {
  test('pages of people deliver each of 60 people once, the most senior first, with any limit', async () => {
    await service.load(company('sixty'), ...crowd('sixty', 60))
    const path = await peopleOf('sixty')
    const all = await walk(path, { limit: '25' })
    expect([all.length, new Set(all).size]).toEqual([60, 60])
    expect(all.slice(0, 20).every(name => [0, 1].includes(numberOf(name) % titles.length))).toBe(true)
    for (const limit of ['1', '7', '24']) expect(await walk(path, { limit })).toEqual(all)
    const first = await pageOf(path, { limit: '3' })
    const second = await pageOf(path, { limit: '25', after: first.next as string })
    expect([...first.names, ...second.names]).toEqual(all.slice(0, 28))
    expect(await walk(path, { limit: '5', role: 'ceo,payments' })).toHaveLength(20)
  })

  test('a cursor always returns the same page, for free with the same Idempotency-Key', async () => {
    const path = await peopleOf('ottermoor')
    const { next } = await pageOf(path, { limit: '3' })
    const again = { limit: '3', after: next as string }
    expect(await pageOf(path, again)).toEqual(await pageOf(path, again))
    const keyed = () =>
      customer.ask(`${path}?${new URLSearchParams(again)}`, { headers: { 'idempotency-key': 'page-2' } })
    const [first, used] = [await keyed(), await creditsUsed(customer)]
    expect([(await keyed()).text, await creditsUsed(customer)]).toEqual([first.text, used])
    const other = await customer.ask(`${path}?limit=3`, { headers: { 'idempotency-key': 'page-2' } })
    expect(other.body.errors.code).toBe('idempotency_key_reused')
  })

  test('a last page of people that is full has no cursor, and is quoted at its own price', async () => {
    await service.load(company('twenty'), ...crowd('twenty', 20))
    const path = await peopleOf('twenty')
    const first = await pageOf(path, { limit: '10' })
    const after = first.next as string
    const refused = await customer.ask(
      `${path}?${new URLSearchParams({ limit: '10', after, max_credits: '89' })}`,
    )
    expect([refused.status, refused.body.errors.details.quoted_credits]).toEqual([402, 90])
    expect(await pageOf(path, { limit: '10', after, max_credits: '90' })).toMatchObject({ next: null })
  })

  test('pages of people miss and repeat nobody while people, their dates and Companies change', async () => {
    // No person has the name of one erased before the merge, which would erase both.
    const mates = crowd('mate', 40).slice(20, 32)
    await service.load(company('base'), company('mate'), ...crowd('base', 40), ...mates)
    const path = await peopleOf('base')
    const names = await walk(path, { limit: '6' }, async page => {
      // Each step gives everyone another title and date, adds two people, and removes one.
      const changed = crowd('base', 40, number => ({
        title: titles[(number + page) % titles.length],
        last_verified_at: `2026-0${1 + ((number * page) % 9)}-01T00:00:00Z`,
      })).filter((_, number) => number >= page)
      await service.load(
        ...changed,
        person('base', `New ${'x'.repeat(page)}`, { email: `n${page}@crowd.example` }),
      )
      await suppressPerson(world(), {
        email: `base.${page - 1}@crowd.example`,
        reason: 'asked',
        now,
      })
      if (page === 3) {
        const [from, into] = [await service.refOf('base'), await service.refOf('mate')]
        await mergeCompanies(world(), { from, into, reason: 'one company', now })
      }
    })
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
    const pages = Math.ceil(names.length / 6)
    for (let number = pages; number < 40; number++) expect(names).toContain(nameOf(number))
  })
})

const numberOf = (name: string) =>
  Number([...name.replace('Person ', '')].map(letter => letter.charCodeAt(0) - 97).join(''))

describe('a cursor of people', () => {
  const refusal = async (path: string, query: Record<string, string>) => {
    const { status, body, headers } = await customer.ask(`${path}?${new URLSearchParams(query)}`)
    return [status, body.errors?.code, headers.get('x-credits-charged')]
  }

  test('a cursor of people is bound to its Company and filters, and refused when altered', async () => {
    const [path, other] = [await peopleOf('ottermoor'), await peopleOf('sixty')]
    const { next } = await pageOf(path, { limit: '3', role: 'cto,ceo,compliance,payments' })
    const query = { role: 'ceo,CTO,compliance OR payments', after: next as string }
    expect((await pageOf(path, query)).names).toHaveLength(1)
    const mismatch = [400, 'cursor_filter_mismatch', '0']
    for (const changed of [{ role: 'ceo' }, { max_age_days: '30' }, { allow_stale: 'false' }])
      expect(await refusal(path, { ...query, ...changed })).toEqual(mismatch)
    expect(await refusal(other, query)).toEqual(mismatch)
    const domains = await customer.ask('/v1/domains/search?verdict=licensed&per_page=1')
    for (const after of [
      `${next}A`,
      `${next}`.replace('people1_', 'people1_A'),
      'x',
      domains.body.data.next_cursor,
    ])
      expect(await refusal(path, { ...query, after })).toEqual([400, 'invalid_cursor', '0'])
    expect(await refusal(path, { ...query, count_only: 'true' })).toEqual([400, 'invalid_parameter', '0'])
  })

  test('a cursor of people continues under both refs after its Company was merged', async () => {
    await service.load(company('left'), company('right'), ...crowd('left', 9), ...crowd('right', 14))
    const [from, into] = [await service.refOf('left'), await service.refOf('right')]
    const first = await pageOf(`/v1/companies/${from}/people`, { limit: '5' })
    await mergeCompanies(world(), { from, into, reason: 'one company', now })
    const rests: string[][] = []
    for (const ref of [from, into]) {
      const query = { after: first.next as string, limit: '25' }
      const { names, next } = await pageOf(`/v1/companies/${ref}/people`, query)
      expect(next).toBeNull()
      rests.push(names)
    }
    // Both Companies have people of the same nine names.
    expect(rests[0]).toEqual(rests[1])
    expect([...first.names, ...(rests[0] as string[])].sort()).toEqual(
      Array.from({ length: 14 }, (_, number) => nameOf(number)).sort(),
    )
  })
})

describe('allow_stale=false', () => {
  test('allow_stale=false omits contacts older than max_age_days, and does not charge for them', async () => {
    const path = await peopleOf('ottermoor')
    const fresh = await walk(path, { allow_stale: 'false', limit: '4' })
    expect(fresh).toHaveLength(8)
    for (const stale of ['Ignatius Reedham', 'Ambrose Kelp']) expect(fresh).not.toContain(stale)
    expect(await walk(path, { allow_stale: 'false', max_age_days: '100' })).toHaveLength(3)
    expect(await walk(path, { allow_stale: 'true' })).toHaveLength(10)
  })

  test('allow_stale=false gives a free page without people if all contacts are stale', async () => {
    const { body } = await customer.ask(
      `${await peopleOf('ottermoor')}?allow_stale=false&max_age_days=0&max_credits=0`,
    )
    expect(body.data).toMatchObject({
      available: false,
      reason: 'source_unavailable',
      contacts: [],
      next_cursor: null,
      credits_charged: 0,
    })
  })
})

describe("all pages of a Company's people", () => {
  type Model = {
    id: number
    name: string
    title: number
    verified: number
    profile: number | null
    company: number
    home: number
  }
  const contactOf = ({ id, name, title, verified, profile }: Model) => ({
    id,
    contact_ref: `con_${id}`,
    name,
    name_key: name,
    title: titles[title % titles.length] ?? null,
    headline: null,
    email: 'a@crowd.example',
    linkedin_url: null,
    profile_key: profile === null ? null : `profile ${profile}`,
    country: null,
    source: 'website',
    source_url: null,
    collected_at: now,
    last_verified_at: new Date(verified),
    fetched_at: null,
  })
  type Change = { kind: 'retitle' | 'arrive' | 'leave' | 'merge' | 'split'; at: number; value: number }
  const changes = (kinds: readonly Change['kind'][]) =>
    fc.array(fc.record({ kind: fc.constantFrom(...kinds), at: fc.nat(60), value: fc.nat(60) }), {
      maxLength: 6,
    })
  const model = (id: number, seed: number, company: number): Model => ({
    id,
    name: `name ${company === 0 ? id : seed}`,
    title: seed,
    verified: seed,
    profile: seed % 3 === 0 ? null : seed,
    company,
    home: company,
  })
  const secret = Buffer.alloc(32, 7)

  /** Applies a change. A merge adds contacts of people who are already here, with older and newer ids. */
  function apply(contacts: Model[], { kind, at, value }: Change): Model[] {
    const ids = Math.max(0, ...contacts.map(each => each.id))
    if (kind === 'retitle')
      return contacts.map((each, index) =>
        index % 7 === at % 7 ? { ...each, title: value, verified: at } : each,
      )
    if (kind === 'arrive') return [...contacts, { ...model(ids + 1 + value, ids, 0), profile: 1_000 + ids }]
    if (kind === 'leave') return contacts.filter((_, index) => index !== at)
    return contacts.map(each => (each.home === 1 ? { ...each, company: kind === 'merge' ? 0 : 1 } : each))
  }

  const people = (contacts: readonly Model[]) =>
    selectPeople(contacts.filter(each => each.company === 0).map(contactOf), null)

  function run(start: Model[], steps: readonly Change[][], limit: number, charactersMax?: number) {
    let contacts = start
    let current: Walk = noWalk
    const delivered: number[] = []
    /** The contacts of people who were deliverable on every page so far. */
    let throughout = new Set(people(contacts).flatMap(each => each.ids))
    for (let page = 0; ; page++) {
      const found = people(contacts)
      const there = new Set(found.flatMap(each => each.ids))
      throughout = new Set([...throughout].filter(id => there.has(id)))
      const { people: sold, next } = nextPeople(found, current, limit, charactersMax)
      for (const each of sold) {
        expect(delivered.filter(id => each.ids.includes(id))).toEqual([])
        delivered.push(...each.ids)
      }
      if (next === null) {
        const last = people(contacts).filter(each => each.ids.some(id => throughout.has(id)))
        return { missed: last.filter(each => !each.ids.some(id => delivered.includes(id))) }
      }
      const filters = { role: undefined }
      const sealed = sealWalk(filters, { company_ref: 'co_x', walk: next }, secret)
      expect(openWalk(filters, sealed, secret)).toEqual({ company_ref: 'co_x', walk: next })
      current = next
      for (const change of steps[page] ?? []) contacts = apply(contacts, change)
    }
  }

  const start = fc
    .array(
      fc.record({
        gap: fc.integer({ min: 1, max: 5_000 }),
        seed: fc.nat(60),
        company: fc.constantFrom(0, 0, 1),
      }),
      {
        maxLength: 60,
      },
    )
    .map(drawn => {
      let id = 0
      return drawn.map(({ gap, seed, company }, index) => {
        id += gap
        return model(id, 3 * (company === 0 ? index : seed % drawn.length) + 1, company)
      })
    })

  test('pages of people deliver each person once, whatever changes between two pages', () => {
    fc.assert(
      fc.property(
        start,
        fc.array(changes(['retitle', 'arrive', 'leave', 'merge', 'split']), { maxLength: 20 }),
        fc.integer({ min: 1, max: 25 }),
        (contacts, steps, limit) => {
          expect(run(contacts, steps, limit).missed).toEqual([])
        },
      ),
      { numRuns: 300 },
    )
  })

  test('pages after a cursor whose list of ids was cut also deliver everyone once', () => {
    fc.assert(
      fc.property(
        start,
        fc.array(changes(['retitle', 'arrive', 'leave']), { maxLength: 20 }),
        fc.integer({ min: 1, max: 25 }),
        fc.constantFrom(0, 10, 60),
        (contacts, steps, limit, charactersMax) => {
          expect(run(contacts, steps, limit, charactersMax).missed).toEqual([])
        },
      ),
      { numRuns: 300 },
    )
  })
})

test('a cursor of people fits into its parameter, however large the ids are', () => {
  let walked: Walk = noWalk
  const ids = (number: number) => 9_000_000_000_000 + number * 4_000_000_007
  const crowded = Array.from({ length: 900 }, (_, number) => ids(number)).map(id => ({ ids: [id] }))
  const found: number[] = []
  for (let page = 0; page < 40; page++) {
    const { people, next } = nextPeople(crowded as never, walked, 25)
    found.push(...people.flatMap(each => each.ids))
    if (next === null) break
    walked = next
    const sealed = sealWalk({}, { company_ref: `co_${'0'.repeat(20)}`, walk: walked }, Buffer.alloc(32))
    expect(sealed.length).toBeLessThanOrEqual(2_048)
  }
  expect(found).toEqual(crowded.flatMap(each => each.ids))
})
