import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Customer } from '../../../test/harness/service.ts'
import { dumpWorld } from '../../dataset/index.ts'
import { creditsUsed, type Line, type PeopleService, person, startPeopleService } from './fixture.ts'
import { type SuppressionReport, suppressPerson, sweepSuppressed } from './index.ts'

const now = new Date('2026-11-01T12:00:00Z')

let service: PeopleService
let customer: Customer
let worlds = 0
let acme: string
let bolt: string
beforeAll(async () => {
  service = await startPeopleService({ now: () => now })
  customer = await service.customer({ credits: 1_000_000 })
})
beforeEach(async () => {
  worlds += 1
  acme = `acme-${worlds}`
  bolt = `bolt-${worlds}`
  await service.load(
    { kind: 'company', key: acme, company_name: `Acme ${worlds}`, legal_entity: `Acme ${worlds} Ltd` },
    { kind: 'company', key: bolt, company_name: `Bolt ${worlds}` },
  )
})
afterAll(() => service.close())

const world = () => service.service.live
const email = (local: string) => `${local}@w${worlds}.example`
const profile = (local: string) => `https://profiles.example/in/${local}-${worlds}`
const ann = (): Line =>
  person(acme, 'Ann Lee', { title: 'CEO', email: email('ann.lee'), linkedin_url: profile('ann') })
const bo = (): Line => person(acme, 'Bo Fox', { title: 'CTO', email: email('bo.fox') })

async function names(key: string): Promise<string[]> {
  const { body } = await service.people(customer, key, 'limit=25')
  return body.data.contacts.map((contact: { name: string }) => contact.name)
}

type Who = { email?: string; profile?: string; named?: { name: string; company: string } }
const suppress = (who: Who, reason = 'they asked'): Promise<SuppressionReport> =>
  suppressPerson(world(), { ...who, reason, now })
const at = async (name: string, key: string) => ({ named: { name, company: await service.refOf(key) } })

async function dumped(): Promise<string> {
  const lines: string[] = []
  await dumpWorld(world(), line => void lines.push(line))
  return lines.join('\n')
}

describe('an erased person', () => {
  test('an erased person is removed from answers and dumps, and not imported again', async () => {
    await service.load(ann(), bo())
    const payer = await service.customer({ credits: 27 })
    const headers = { 'idempotency-key': `erasure-${worlds}` }
    const first = await service.people(payer, acme, '', headers)
    const ofBo = { 'idempotency-key': `other-${worlds}` }
    const untouched = await service.people(payer, acme, 'role=cto', ofBo)
    expect(first.body.data.contacts).toHaveLength(2)

    expect(await suppress({ email: email('ANN.LEE') })).toEqual({
      handles: { email: 1, profile: 1, name: 1 },
      new_handles: 3,
      contacts: 1,
      stored_answers: 1,
      listed_contacts: 0,
      licensees: 0,
    })
    expect(await names(acme)).toEqual(['Bo Fox'])
    const replayed = await service.people(payer, acme, '', headers)
    expect([replayed.status, replayed.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
    expect(replayed.text).not.toMatch(/\bann\b/i)
    const remaining = first.body.data.contacts.filter(
      (contact: { name: string }) => contact.name !== 'Ann Lee',
    )
    const billing = { ...first.body.data.billing, returned_count: 1, credits_charged: 18 }
    expect(replayed.body).toEqual({
      ...first.body,
      data: { ...first.body.data, contacts: remaining, billing },
    })
    expect((await service.people(payer, acme, '', headers)).text).toBe(replayed.text)
    expect((await service.people(payer, acme, 'role=cto', ofBo)).text).toBe(untouched.text)
    expect(await creditsUsed(payer)).toBe(27)

    const report = await service.load(ann(), bo())
    expect(report.loaded.contact).toEqual({ added: 0, changed: 0, unchanged: 1, suppressed: 1 })
    expect(JSON.stringify(report)).not.toMatch(/\bann\b/i)
    expect(await names(acme)).toEqual(['Bo Fox'])
    expect(await dumped()).not.toContain(email('ann.lee'))
  })

  test.each<[string, boolean, string]>([
    ['other people are', true, 'no_match'],
    ['no one is', false, 'not_cached'],
  ])(
    'an erased person is removed from a stored answer, which stays charged, if %s on file',
    async (_, others, reason) => {
      await service.load(ann(), ...(others ? [bo()] : []))
      const headers = { 'idempotency-key': `emptied-${worlds}` }
      const first = await service.people(customer, acme, 'role=ceo', headers)
      expect(first.body.data).toMatchObject({ available: true, reason: null })
      await suppress({ email: email('ann.lee') })
      const {
        available,
        reason: current,
        contacts,
        billing,
      } = (await service.people(customer, acme, 'role=ceo')).body.data
      expect([available, current, contacts, billing.billing_reason]).toEqual([
        false,
        reason,
        [],
        'no_results',
      ])
      const replayed = await service.people(customer, acme, 'role=ceo', headers)
      expect(replayed.body.data).toEqual({
        ...first.body.data,
        available: false,
        reason,
        contacts: [],
        billing: { ...first.body.data.billing, returned_count: 0 },
      })
      expect(replayed.body.data.billing).toMatchObject({
        credits_charged: 9,
        billing_reason: 'contacts_delivered',
      })
    },
  )

  test.each<[string, () => Line]>([
    ['another address', () => person(acme, 'Ann Lee', { title: 'CEO', email: email('chief') })],
    ['the address at another Company', () => person(bolt, 'A. Lee', { email: email('Ann.Lee') })],
    ['the profile at another Company', () => person(bolt, 'A. Lee', { linkedin_url: `${profile('ann')}/` })],
    ['the name in another order', () => person(acme, 'LEE, Ann', { email: email('chief') })],
  ])('an erased person is not stored again by an import with %s', async (_, line) => {
    await service.load(ann())
    await suppress({ profile: profile('ann') })
    const report = await service.load(line())
    expect(report.loaded.contact).toEqual({ added: 0, changed: 0, unchanged: 0, suppressed: 1 })
    expect([...(await names(acme)), ...(await names(bolt))]).toEqual([])
  })

  test('a person who is erased without stored contacts is also excluded from later imports', async () => {
    expect(await suppress(await at('Ann Lee', acme))).toMatchObject({ contacts: 0, handles: { name: 1 } })
    await service.load(ann(), bo())
    expect(await names(acme)).toEqual(['Bo Fox'])
  })

  test('an erased person given by name is suppressed at that Company only', async () => {
    await suppress(await at('Bo Fox', acme))
    await service.load(bo(), person(bolt, 'Bo Fox', { email: email('bolt.fox') }))
    expect([await names(acme), await names(bolt)]).toEqual([[], ['Bo Fox']])
  })

  test('an erased person is erased at every Company where a handle matches', async () => {
    await service.load(ann(), person(bolt, 'Ann Lee', { linkedin_url: profile('ann'), email: email('lee') }))
    expect(await suppress({ email: email('ann.lee') })).toMatchObject({
      contacts: 2,
      handles: { email: 2, profile: 1, name: 2 },
    })
    expect([await names(acme), await names(bolt)]).toEqual([[], []])
  })

  test('suppressing an erased person again changes nothing', async () => {
    await service.load(ann())
    await suppress({ email: email('ann.lee') })
    expect(await suppress({ email: email('ann.lee') })).toEqual({
      handles: { email: 1, profile: 0, name: 0 },
      new_handles: 0,
      contacts: 0,
      stored_answers: 0,
      listed_contacts: 0,
      licensees: 0,
    })
  })
})

describe('people like an erased person', () => {
  test('people who share an erased mailbox are deleted, but only the mailbox is suppressed', async () => {
    const mailbox = email('compliance')
    await service.load(
      person(acme, 'Ann Lee', { email: mailbox }),
      person(acme, 'Bo Fox', { email: mailbox }),
    )
    expect(await suppress({ email: mailbox })).toMatchObject({ contacts: 2, handles: { email: 1, name: 0 } })
    await service.load(bo())
    expect(await names(acme)).toEqual(['Bo Fox'])
  })

  test('people can use the role mailbox of an erased person', async () => {
    const mailbox = email('compliance')
    await service.load(person(acme, 'Ann Lee', { email: mailbox }))
    expect(await suppress(await at('Ann Lee', acme))).toMatchObject({ handles: { email: 0, name: 1 } })
    await service.load(person(acme, 'Bo Fox', { email: mailbox }))
    expect(await names(acme)).toEqual(['Bo Fox'])
  })

  test('a namesake of an erased person who has another profile is not affected', async () => {
    const namesake = person(acme, 'Ann Lee', { title: 'CTO', linkedin_url: profile('namesake') })
    await service.load(ann(), namesake)
    expect(await suppress({ email: email('ann.lee') })).toMatchObject({
      contacts: 1,
      handles: { email: 1, profile: 1, name: 0 },
    })
    await service.load(ann(), namesake)
    expect((await service.people(customer, acme)).body.data.contacts).toMatchObject([
      { linkedin_url: profile('namesake') },
    ])
  })
})

describe('an erased person in a prospect list', () => {
  const contact = (ref: string, name: string, more: Line = {}) => ({
    contact_ref: ref,
    name,
    role: null,
    professional_profile_url: null,
    contact_channels: [],
    ...more,
  })
  const target = (name: string, website: string | null, ...key_contacts: object[]) => ({
    target_ref: name,
    name,
    website,
    candidate_organizations: [{ name: 'Holding of many', role: 'operator' }],
    key_contacts,
  })

  async function storeList(...target_accounts: object[]): Promise<string> {
    const ref = `pl_${worlds}_${target_accounts.length}`
    const result = {
      schema_version: 1,
      request_interpretation: { journey: 'sales', summary: 'all' },
      executive_summary: 'few',
      target_accounts,
    }
    await sql`
      insert into prospect_lists
        (prospect_list_ref, account_id, cadence, status, requested_at, ready_at, result)
      select ${ref}, id, 'one_time', 'ready', ${now}, ${now}, ${JSON.stringify(result)}::jsonb
        from accounts
       where account_ref = ${customer.accountRef}`.execute(world().database)
    return ref
  }

  async function listed(ref: string): Promise<Record<string, string[]>> {
    const { body } = await customer.ask(`/v1/prospect-lists/${ref}`)
    expect(body.data.result.executive_summary).toBe('few')
    return Object.fromEntries(
      body.data.result.target_accounts.map((each: { name: string; key_contacts: { name: string }[] }) => [
        each.name,
        each.key_contacts.map(one => one.name),
      ]),
    )
  }

  test('a prospect list loses an erased person, and a target that has no other contact', async () => {
    const domain = { kind: 'domain', domain: `w${worlds}.example`, company: acme, relation: 'brand_owner' }
    await service.load(ann(), domain)
    const ref = await storeList(
      target(
        'By address',
        null,
        contact('a', 'A. Lee', { contact_channels: [email('x'), email('Ann.Lee')] }),
      ),
      target(
        'By profile',
        null,
        contact('b', 'A. Lee', { professional_profile_url: `${profile('ann')}/` }),
        contact('c', 'Cy'),
      ),
      target(`ACME ${worlds} limited`, null, contact('d', 'Lee Ann'), contact('e', 'Dee')),
      target('By site', `https://www.w${worlds}.example/`, contact('f', 'Ann Lee'), contact('g', 'Eve')),
      target('Another Ann', 'https://else.example', contact('h', 'Ann Lee')),
    )
    expect(await suppress({ email: email('ann.lee') })).toMatchObject({ listed_contacts: 4 })
    expect(await listed(ref)).toEqual({
      'By profile': ['Cy'],
      [`ACME ${worlds} limited`]: ['Dee'],
      'By site': ['Eve'],
      'Another Ann': ['Ann Lee'],
    })
    const { body } = await customer.ask(`/v1/prospect-lists/${ref}`)
    expect(body.data.target_account_count).toBe(4)
  })
})

describe('a suppression', () => {
  test('a suppression stores hashes, the reason, the time and counts, but no personal data', async () => {
    await service.load(ann())
    await suppress({ email: email('ann.lee') }, 'letter of 1 November')
    const { rows } = await sql<Record<string, unknown>>`
      select reason, decided_at, contacts, stored_answers, listed_contacts
        from suppression_decisions
       order by id desc
       limit 1`.execute(world().database)
    expect(rows).toEqual([
      { reason: 'letter of 1 November', decided_at: now, contacts: 1, stored_answers: 0, listed_contacts: 0 },
    ])
    const stored = await sql<{ text: string }>`
      select suppression::text as text from suppressions suppression`.execute(world().database)
    expect(stored.rows.length).toBeGreaterThan(0)
    for (const { text } of stored.rows)
      expect(text).toMatch(/^\(\d+,\d+,(email|profile|name),\d*,"\\\\x[0-9a-f]{64}"\)$/)
  })

  test('a suppression also cleans answers of requests that ran at the same time', async () => {
    await service.load(ann(), bo())
    const headers = { 'idempotency-key': `under-way-${worlds}` }
    const before = await service.people(customer, acme, '', headers)
    await suppress({ email: email('ann.lee') })
    // This restores the answer, as if it had been settled a moment after the suppression.
    await sql`
      update idempotency_records
         set body = ${before.text}
       where idempotency_key = ${headers['idempotency-key']}`.execute(world().database)
    expect(await sweepSuppressed(world().database, new Date(now.getTime() + 60_000))).toBe(1)
    expect((await service.people(customer, acme, '', headers)).text).not.toMatch(/\bann\b/i)
    expect(await sweepSuppressed(world().database, new Date(now.getTime() + 60_000))).toBe(0)
    expect(await sweepSuppressed(world().database, new Date(now.getTime() + 3_600_000))).toBe(0)
  })

  test('a suppression finds stored answers that contain people by an index', async () => {
    await service.load(ann())
    await service.people(customer, acme, '', { 'idempotency-key': `indexed-${worlds}` })
    await customer.ask('/v1/domains/resolve?domain=a.example', {
      headers: { 'idempotency-key': `verdict-${worlds}` },
    })
    const { rows } = await sql<{ people: number; all: number }>`
      select count(*) filter (
               where starts_with(body, '{"success":true') and left(body, 200) like '%"contacts":%'
             ) as people,
             count(*) as all
        from idempotency_records
       where idempotency_key in (${`indexed-${worlds}`}, ${`verdict-${worlds}`})`.execute(world().database)
    expect(rows).toEqual([{ people: 1, all: 2 }])
  })
})

test('an invalid suppression is rejected with the reason', async () => {
  const ann = { email: email('ann.lee') }
  const rows: [person: Who, reason: string, message: string][] = [
    [{}, 'why', 'Give an e-mail address, a profile'],
    [{ email: 'ann' }, 'why', '"email" must be an e-mail address'],
    [{ profile: 'ann' }, 'why', '"profile" must be the URL of a profile'],
    [{ named: { name: '…', company: 'co_x' } }, 'why', '"name" must contain letters'],
    [{ named: { name: 'Ann', company: 'co_x' } }, 'why', 'Company co_x does not exist'],
    [ann, '', 'Give a reason'],
    [ann, '  ', 'Give a reason'],
    [ann, 'x'.repeat(501), 'at most 500'],
  ]
  for (const [person, reason, message] of rows)
    await expect(suppress(person, reason)).rejects.toThrow(message)
})
