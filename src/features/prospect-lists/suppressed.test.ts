import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { suppressPerson } from '../people/index.ts'
import { contact, listResult, target } from './fixture.ts'
import { createProspectList, deliverProspectList } from './index.ts'

const path = '/v1/prospect-lists'
const now = new Date('2026-05-05T05:05:05Z')

let service: TestService
let customer: Customer
beforeAll(async () => {
  service = await startService()
  customer = await service.customer()
})
afterAll(() => service.close())

const world = () => service.service.live
const suppress = (person: { email?: string; profile?: string }) =>
  suppressPerson(world(), { ...person, reason: 'erasure request', now })

const listing = (person: string) =>
  listResult(
    target('t1', { key_contacts: [contact(person), contact('bo')] }),
    target('t2', { key_contacts: [contact(person)] }),
  )

async function deliver(person: string) {
  const { prospect_list_ref: ref } = await createProspectList(world(), customer.accountRef, {
    cadence: 'weekly',
    now,
  })
  return deliverProspectList(world(), ref, { result: listing(person), now })
}

async function peopleIn(ref: string) {
  const { body } = await customer.ask(`${path}/${ref}`)
  const file = await customer.ask(`${path}/${ref}/download`)
  const { rows } = await sql<{ text: string }>`
    select result::text as text from prospect_lists where prospect_list_ref = ${ref}`.execute(
    world().database,
  )
  return {
    targets: body.data.target_account_count,
    shown: body.data.result.target_accounts.flatMap((each: { key_contacts: { contact_ref: string }[] }) =>
      each.key_contacts.map(({ contact_ref }) => contact_ref),
    ),
    downloaded: parse(file.text)
      .slice(1)
      .map((row: string[]) => row[7]),
    stored: rows[0]?.text ?? '',
  }
}

test('a delivered list has no suppressed people, and no target without other people', async () => {
  await suppress({ email: 'ada@luckyotter.example' })
  const delivered = await deliver('ada')
  expect(delivered).toMatchObject({ status: 'ready', target_account_count: 1, suppressed_contacts: 2 })
  const people = await peopleIn(delivered.prospect_list_ref)
  expect(people).toMatchObject({ targets: 1, shown: ['bo'], downloaded: ['bo'] })
  expect(people.stored).not.toMatch(/\bada\b/)
})

test('a later suppression removes people from delivered lists', async () => {
  const { prospect_list_ref: ref } = await deliver('cy')
  expect(await peopleIn(ref)).toMatchObject({ targets: 2, downloaded: ['cy', 'bo', 'cy'] })
  expect(await suppress({ profile: 'https://people.example/in/cy' })).toMatchObject({ listed_contacts: 2 })
  const people = await peopleIn(ref)
  expect(people).toMatchObject({ targets: 1, shown: ['bo'], downloaded: ['bo'] })
  expect(people.stored).not.toContain('cy@')
  const { body } = await customer.ask(path)
  expect(body.data.prospect_lists).toContainEqual(
    expect.objectContaining({ prospect_list_ref: ref, target_account_count: 1 }),
  )
})

test('a suppressed person in a list is neither shown nor downloaded, even if stored', async () => {
  await suppress({ email: 'di@luckyotter.example' })
  const { prospect_list_ref: ref } = await deliver('di')
  await sql`
    update prospect_lists
       set result = ${JSON.stringify(listing('di'))}::jsonb
     where prospect_list_ref = ${ref}`.execute(world().database)
  expect(await peopleIn(ref)).toMatchObject({ targets: 1, shown: ['bo'], downloaded: ['bo'] })
})

test('a list whose people are all suppressed is empty', async () => {
  await suppress({ email: 'el@luckyotter.example' })
  const { prospect_list_ref: ref } = await createProspectList(world(), customer.accountRef, {
    cadence: 'one_time',
    now,
  })
  const result = listResult(target('t1', { key_contacts: [contact('el')] }))
  expect(await deliverProspectList(world(), ref, { result, now })).toMatchObject({ target_account_count: 0 })
  expect(await peopleIn(ref)).toMatchObject({ targets: 0, shown: [], downloaded: [] })
})
