import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { declaredData } from '../../../test/harness/declared-schema.ts'
import type { Customer } from '../../../test/harness/service.ts'
import { mergeCompanies } from '../companies/index.ts'
import { creditsUsed, type PeopleService, person, startPeopleService } from './fixture.ts'

const schemaErrors = declaredData('list_people')
const now = new Date('2026-11-01T12:00:00Z')

let service: PeopleService
let customer: Customer
beforeAll(async () => {
  service = await startPeopleService({ now: () => now, world: 'demo' })
  customer = await service.customer({ credits: 1_000_000 })
})
afterAll(() => service.close())

type Contact = Record<string, unknown> & { name: string; role_key: string | null }

async function delivered(query = '', key = 'ottermoor'): Promise<Contact[]> {
  const before = await creditsUsed(customer)
  const { status, body } = await service.people(customer, key, query)
  expect(status, JSON.stringify(body)).toBe(200)
  expect(schemaErrors(body.data)).toBeNull()
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
  test('people are ordered by seniority, and each person is listed once, and only if reachable', async () => {
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

  test('people of a Company have their source and dates', async () => {
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
      fetched_at: null,
      stale: false,
    })
  })

  test('people of a Company have the same order with any limit', async () => {
    const all = namesOf(await delivered('limit=25'))
    for (const limit of [1, 2, 7])
      expect(namesOf(await delivered(`limit=${limit}`))).toEqual(all.slice(0, limit))
    expect(namesOf(await delivered())).toEqual(all.slice(0, 10))
  })

  test('people of a Company have an e-mail status only with an address', async () => {
    const byName = new Map((await delivered()).map(contact => [contact.name, contact]))
    expect(byName.get('Marigold Sluice')).toMatchObject({ email: null, email_status: null })
    expect(byName.get('Dorothea Eddy')).toMatchObject({ email_status: 'unverified', last_verified_at: null })
  })
})

describe('the filter by role', () => {
  test('a role matches glossary keys and words of titles, separated by commas or OR', async () => {
    const rows: [role: string, contacts: [name: string, key: string | null][]][] = [
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
    ]
    const matches = []
    for (const [role] of rows) {
      const contacts = await delivered(`role=${encodeURIComponent(role)}`)
      matches.push([role, contacts.map(({ name, role_key }) => [name, role_key])])
    }
    expect(matches).toEqual(rows)
  })

  test('the role decision_makers matches directors and above', async () => {
    expect(namesOf(await delivered('role=decision_makers'))).toEqual([
      'Ottilie Weirstone',
      'Bertram Sedgeley',
      'Philippa Millrace',
      'Marigold Sluice',
      'Ignatius Reedham',
    ])
  })

  test('a role that no person has gives a free answer with the reason no_match', async () => {
    const { body } = await service.people(customer, 'ottermoor', 'role=astrologer')
    expect(body.data).toMatchObject({
      available: false,
      reason: 'no_match',
      contacts: [],
      credits_charged: 0,
    })
  })

  test('a role is read from the headline only if the person has no title', async () => {
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

describe('the free count of people', () => {
  test('the free count returns people per role key, on every plan', async () => {
    const free = await service.customer({ plan: 'free', credits: 0 })
    const { status, body, headers } = await service.people(free, 'ottermoor', 'count_only=true')
    expect(status).toBe(200)
    expect(schemaErrors(body.data)).toBeNull()
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
      next_cursor: null,
      has_more: false,
      credits_charged: 0,
    })
    expect(headers.get('x-credits-charged')).toBe('0')
  })

  test.each(['ceo', 'head of', 'chief astrologer', 'cto,payments'])(
    'the free count counts all people under every role key, even with role=%s',
    async role => {
      const everyone = (await service.people(customer, 'ottermoor', 'count_only=true')).body.data
      const { body } = await service.people(customer, 'ottermoor', `count_only=true&role=${role}`)
      expect(body.data.role_counts).toEqual(everyone.role_counts)
      const isFound = role !== 'chief astrologer'
      expect([body.data.available, body.data.reason]).toEqual([isFound, isFound ? null : 'no_match'])
    },
  )

  test('the free count of a Company without people on file is not_cached', async () => {
    const { body } = await service.people(customer, 'understudy', 'count_only=true')
    expect(body.data).toMatchObject({ available: false, reason: 'not_cached', role_counts: { ceo: 0 } })
    expect(body.data).not.toHaveProperty('contacts')
  })

  test('the free count agrees with the contacts delivered for each key', async () => {
    for (const key of ['ottermoor', 'pebblepike', 'havmaage', 'redkite']) {
      const { role_counts } = (await service.people(customer, key, 'count_only=true')).body.data
      for (const [role, count] of Object.entries(role_counts))
        expect(await delivered(`role=${role}&limit=25`, key), `${key} ${role}`).toHaveLength(count as number)
    }
  })
})

describe('availability of people', () => {
  test('people of a Company without people on file are a free 200', async () => {
    const { status, body } = await service.people(customer, 'understudy')
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      available: false,
      reason: 'not_cached',
      contacts: [],
      credits_charged: 0,
    })
  })

  test('a Company whose people are all unreachable has no contacts, with the reason not_cached', async () => {
    await service.load(
      { kind: 'company', key: 'shrew', company_name: 'Shrew' },
      person('shrew', 'Cy', { title: 'CEO' }),
    )
    const { body } = await service.people(customer, 'shrew')
    expect(body.data).toMatchObject({ available: false, reason: 'not_cached', contacts: [] })
  })

  test('people of merged Companies are listed once, at the surviving Company', async () => {
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

describe('max_age_days of people', () => {
  const staleNames = async (query: string) =>
    namesOf((await delivered(`limit=25${query}`)).filter(contact => contact.stale))

  test('max_age_days marks contacts that are older as stale, and is 365 by default', async () => {
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

  test('max_age_days of 0 marks every contact as stale', async () => {
    expect(await staleNames('&max_age_days=0')).toHaveLength(10)
  })
})
