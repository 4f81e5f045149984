import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { declaredData } from '../../../test/harness/declared-schema.ts'
import type { Customer } from '../../../test/harness/service.ts'
import { mergeCompanies } from '../companies/index.ts'
import { creditsUsed, type PeopleService, person, startPeopleService } from './fixture.ts'

const misfits = declaredData('list_people')
/** Ages are counted from this moment. */
const now = new Date('2026-11-01T12:00:00Z')

let service: PeopleService
let customer: Customer
beforeAll(async () => {
  service = await startPeopleService({ now: () => now, world: 'demo' })
  customer = await service.customer({ credits: 1_000_000 })
})
afterAll(() => service.close())

type Contact = Record<string, unknown> & { name: string; role_key: string | null }

/** An answer, held against the declared schema and against what it cost. */
async function delivered(query = '', key = 'ottermoor'): Promise<Contact[]> {
  const before = await creditsUsed(customer)
  const { status, body } = await service.people(customer, key, query)
  expect(status, JSON.stringify(body)).toBe(200)
  expect(misfits(body.data)).toBeNull()
  const { contacts, billing } = body.data
  expect(billing).toMatchObject({
    returned_count: contacts.length,
    credits_per_profile: 9,
    credits_charged: 9 * contacts.length,
    billing_reason: contacts.length === 0 ? 'no_results' : 'contacts_delivered',
  })
  expect(body.data.credits_charged).toBe(9 * contacts.length)
  expect(await creditsUsed(customer)).toBe(before + 9 * contacts.length)
  return contacts
}

const namesOf = (contacts: readonly Contact[]) => contacts.map(contact => contact.name)

describe('the people of a Company', () => {
  test('are delivered the most senior first, each once, and nobody who cannot be reached', async () => {
    expect(namesOf(await delivered('limit=25'))).toEqual([
      'Ottilie Weirstone',
      'Bertram Sedgeley',
      'Philippa Millrace',
      'Marigold Sluice',
      'Ignatius Reedham',
      'Lorcan Holt',
      'Casimir Fording',
      'Dorothea Eddy',
      'Wilhelmina Bankside',
      'Ambrose Kelp',
    ])
  })

  test('say who they are, where that is known from, and since when', async () => {
    const [first] = await delivered('limit=1')
    expect(first).toEqual({
      contact_ref: expect.stringMatching(/^con_\w{20}$/),
      role_key: 'ceo',
      name: 'Ottilie Weirstone',
      title: 'CEO & Co-Founder',
      headline: null,
      seniority: 'c_level',
      function: 'general_management',
      email: 'ottilie.weirstone@luckyotter.example',
      email_status: 'verified',
      linkedin_url: 'https://profiles.example/in/ottilie-weirstone',
      country: 'MT',
      source: 'company website',
      source_url: 'https://luckyotter.example/team',
      collected_at: '2026-01-12T09:00:00.000Z',
      last_verified_at: '2026-09-14T08:30:00.000Z',
      stale: false,
    })
  })

  test('come in the same order whatever the limit', async () => {
    const all = namesOf(await delivered('limit=25'))
    for (const limit of [1, 2, 7])
      expect(namesOf(await delivered(`limit=${limit}`))).toEqual(all.slice(0, limit))
    expect(namesOf(await delivered())).toEqual(all.slice(0, 10))
  })

  test('without an e-mail address have no e-mail status, and unverified ones say so', async () => {
    const byName = new Map((await delivered()).map(contact => [contact.name, contact]))
    expect(byName.get('Marigold Sluice')).toMatchObject({ email: null, email_status: null })
    expect(byName.get('Dorothea Eddy')).toMatchObject({ email_status: 'unverified', last_verified_at: null })
  })
})

describe('a role', () => {
  test.each([
    ['ceo', [['Ottilie Weirstone', 'ceo']]],
    ['cto', [['Bertram Sedgeley', 'cto']]],
    ['CTO', [['Bertram Sedgeley', 'cto']]],
    ['compliance', [['Philippa Millrace', 'compliance']]],
    [
      'payments,compliance',
      [
        ['Philippa Millrace', 'compliance'],
        ['Casimir Fording', 'payments'],
      ],
    ],
    [
      'payments OR cto',
      [
        ['Bertram Sedgeley', 'cto'],
        ['Casimir Fording', 'payments'],
      ],
    ],
    ['affiliates', [['Dorothea Eddy', 'affiliates']]],
    [
      'marketing_leads',
      [
        ['Ignatius Reedham', 'marketing_leads'],
        ['Lorcan Holt', 'marketing_leads'],
      ],
    ],
    ['product_leads', [['Marigold Sluice', 'product_leads']]],
    ['HEAD OF CASINO', [['Marigold Sluice', null]]],
    ['retention', [['Lorcan Holt', null]]],
    ['assistant to', [['Wilhelmina Bankside', null]]],
    [
      'former or payments',
      [
        ['Casimir Fording', 'payments'],
        ['Ambrose Kelp', null],
      ],
    ],
    ['chief astrologer', []],
    [
      'swimmer, ceo',
      [
        ['Ottilie Weirstone', 'ceo'],
        ['Lorcan Holt', null],
      ],
    ],
  ])('%s', async (role, expected) => {
    const contacts = await delivered(`role=${encodeURIComponent(role)}`)
    expect(contacts.map(({ name, role_key }) => [name, role_key])).toEqual(expected)
  })

  test('decision_makers takes directors and everyone above', async () => {
    expect(namesOf(await delivered('role=decision_makers'))).toEqual([
      'Ottilie Weirstone',
      'Bertram Sedgeley',
      'Philippa Millrace',
      'Marigold Sluice',
      'Ignatius Reedham',
    ])
  })

  test('that nobody on file has: nothing is charged, and the reason is told', async () => {
    const { body } = await service.people(customer, 'ottermoor', 'role=astrologer')
    expect(body.data).toMatchObject({
      available: false,
      reason: 'no_match',
      contacts: [],
      credits_charged: 0,
    })
  })

  test('is read from the headline of people without a title only', async () => {
    await service.load(
      { kind: 'company', key: 'mole', company_name: 'Mole' },
      person('mole', 'Ada', { title: 'Gardener', headline: 'CEO of my garden', email: 'ada@mole.example' }),
      person('mole', 'Bea', { headline: 'CTO at heart', email: 'bea@mole.example' }),
    )
    expect(await delivered('role=ceo,cto', 'mole')).toMatchObject([{ name: 'Bea', role_key: 'cto' }])
    expect(await delivered('role=garden', 'mole')).toMatchObject([{ name: 'Ada', role_key: null }])
    expect(await delivered('role=my garden', 'mole')).toEqual([])
  })
})

describe('the free count', () => {
  test('tells how many answer to each key, on every plan, and charges nothing', async () => {
    const free = await service.customer({ plan: 'free', credits: 0 })
    const { status, body, headers } = await service.people(free, 'ottermoor', 'count_only=true')
    expect(status).toBe(200)
    expect(misfits(body.data)).toBeNull()
    expect(body.data).toEqual({
      company_ref: await service.refOf('ottermoor'),
      available: true,
      reason: null,
      role_counts: {
        ceo: 1,
        cto: 1,
        compliance: 1,
        payments: 1,
        affiliates: 1,
        marketing_leads: 2,
        product_leads: 1,
        decision_makers: 5,
      },
      credits_charged: 0,
    })
    expect(headers.get('x-credits-charged')).toBe('0')
  })

  test('of a role counts those whom the role selects', async () => {
    const { body } = await service.people(customer, 'ottermoor', 'count_only=true&role=head of')
    expect(body.data).toMatchObject({
      available: true,
      role_counts: { compliance: 1, product_leads: 1, decision_makers: 2, ceo: 0 },
    })
  })

  test('of a Company with nobody on file says so', async () => {
    const { body } = await service.people(customer, 'understudy', 'count_only=true')
    expect(body.data).toMatchObject({ available: false, reason: 'not_cached', role_counts: { ceo: 0 } })
    expect(body.data).not.toHaveProperty('contacts')
  })

  test('agrees with what is delivered for each key', async () => {
    for (const key of ['ottermoor', 'pebblepike', 'havmaage', 'redkite']) {
      const { role_counts } = (await service.people(customer, key, 'count_only=true')).body.data
      for (const [role, count] of Object.entries(role_counts))
        expect(await delivered(`role=${role}&limit=25`, key), `${key} ${role}`).toHaveLength(count as number)
    }
  })
})

describe('a Company', () => {
  test('with nobody on file answers 200 and costs nothing', async () => {
    const { status, body } = await service.people(customer, 'understudy')
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      available: false,
      reason: 'not_cached',
      contacts: [],
      credits_charged: 0,
    })
  })

  test('with people who cannot be reached alone has nobody on file', async () => {
    await service.load(
      { kind: 'company', key: 'shrew', company_name: 'Shrew' },
      person('shrew', 'Cy', { title: 'CEO' }),
    )
    const { body } = await service.people(customer, 'shrew')
    expect(body.data).toMatchObject({ available: false, reason: 'not_cached', contacts: [] })
  })

  test('that was merged answers for the one that it was merged into, and nobody is delivered twice', async () => {
    const same = { linkedin_url: 'https://profiles.example/in/dee', email: 'dee@vole.example' }
    await service.load(
      { kind: 'company', key: 'vole', company_name: 'Vole' },
      { kind: 'company', key: 'voles', company_name: 'Voles' },
      person('vole', 'Dee', { title: 'CEO', ...same, last_verified_at: '2026-01-01T00:00:00Z' }),
      person('voles', 'D. Dee', {
        title: 'Chief Executive',
        ...same,
        last_verified_at: '2026-02-01T00:00:00Z',
      }),
      person('voles', 'Eve', { title: 'CTO', email: 'eve@vole.example' }),
      person('vole', 'EVE', {
        title: 'CTO',
        email: 'eve.2@vole.example',
        collected_at: '2020-01-01T00:00:00Z',
      }),
    )
    const [from, into] = [await service.refOf('vole'), await service.refOf('voles')]
    await mergeCompanies(service.service.live, { from, into, reason: 'one vole', now })
    for (const ref of [from, into]) {
      const { body } = await customer.ask(`/v1/companies/${ref}/people`)
      expect(body.data.company_ref).toBe(into)
      expect(namesOf(body.data.contacts)).toEqual(['D. Dee', 'Eve'])
      expect(body.data.contacts[1].email).toBe('eve@vole.example')
    }
  })
})

describe('an age', () => {
  const staleNames = async (query: string) =>
    namesOf((await delivered(`limit=25${query}`)).filter(contact => contact.stale))

  test('of a year makes a contact stale, unless it is asked otherwise; stale ones are served all the same', async () => {
    expect(await staleNames('')).toEqual(['Ignatius Reedham', 'Ambrose Kelp'])
    expect(await staleNames('&max_age_days=365')).toEqual(['Ignatius Reedham', 'Ambrose Kelp'])
    expect(await staleNames('&max_age_days=100')).toEqual([
      'Marigold Sluice',
      'Ignatius Reedham',
      'Lorcan Holt',
      'Casimir Fording',
      'Dorothea Eddy',
      'Wilhelmina Bankside',
      'Ambrose Kelp',
    ])
  })

  test('of 0 asks for nothing that is on file: without a source everything is stale', async () => {
    expect(await staleNames('&max_age_days=0')).toHaveLength(10)
  })
})
