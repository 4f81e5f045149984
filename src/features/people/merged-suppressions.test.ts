import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Customer } from '../../../test/harness/service.ts'
import { dumpWorld } from '../../dataset/index.ts'
import { mergeCompanies, splitCompany } from '../companies/index.ts'
import { type Line, type PeopleService, person, startPeopleService } from './fixture.ts'
import { suppressPerson } from './index.ts'

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
const ann = (): Line => person(acme, 'Ann Lee', { title: 'CEO', email: email('ann.lee') })
const bo = (): Line => person(acme, 'Bo Fox', { title: 'CTO', email: email('bo.fox') })

async function names(key: string): Promise<string[]> {
  const { body } = await service.people(customer, key, 'limit=25')
  return body.data.contacts.map((contact: { name: string }) => contact.name)
}

const suppress = (named: { name: string; company: string }) =>
  suppressPerson(world(), { named, reason: 'they asked', now })
const at = async (name: string, key: string) => ({ name, company: await service.refOf(key) })

async function dumped(): Promise<string> {
  const lines: string[] = []
  await dumpWorld(world(), line => void lines.push(line))
  return lines.join('\n')
}

describe('people of merged and split Companies', () => {
  async function merge(from: string, into: string) {
    const [fromRef, intoRef] = [await service.refOf(from), await service.refOf(into)]
    await mergeCompanies(world(), { from: fromRef, into: intoRef, reason: 'one', now })
  }
  const split = async (key: string) =>
    splitCompany(world(), {
      company: await service.refOf(key),
      identities: [['import', key]],
      reason: 'two',
      now,
    })

  test('a merge moves people to the surviving Company, and a split restores them', async () => {
    await service.load(ann(), person(bolt, 'Bo Fox', { email: email('bo.fox') }))
    await merge(bolt, acme)
    expect((await names(acme)).sort()).toEqual(['Ann Lee', 'Bo Fox'])
    await split(bolt)
    expect([await names(acme), await names(bolt)]).toEqual([['Ann Lee'], ['Bo Fox']])
    await merge(bolt, acme)
    await service.load(person(bolt, 'Bo Fox', { title: 'COO', email: email('bo.fox') }))
    expect((await names(acme)).sort()).toEqual(['Ann Lee', 'Bo Fox'])
  })

  test('merges and splits keep suppressed names suppressed', async () => {
    await suppress(await at('Bo Fox', bolt))
    const lines = [bo(), person(bolt, 'Bo Fox', { email: email('bolt.fox') })]
    await merge(bolt, acme)
    await service.load(...lines)
    expect(await names(acme)).toEqual([])
    await split(bolt)
    await service.load(...lines)
    expect([await names(acme), await names(bolt)]).toEqual([['Bo Fox'], []])
  })

  test.each([
    ['merged Company', true],
    ['surviving Company', false],
  ])('a merge erases people whose name is suppressed at the %s', async (_, atMerged) => {
    const [here, there] = atMerged ? [bolt, acme] : [acme, bolt]
    await service.load(
      person(there, 'Ann Lee', { email: email('ann.lee') }),
      person(there, 'Bo Fox', { email: email('bo.fox') }),
    )
    const headers = { 'idempotency-key': `merged-${worlds}` }
    const path = `/v1/companies/${await service.refOf(there)}/people`
    const first = await customer.ask(path, { headers })
    expect(first.body.data.contacts).toHaveLength(2)
    await suppress(await at('Bo Fox', here))
    expect((await names(there)).sort()).toEqual(['Ann Lee', 'Bo Fox'])
    await merge(bolt, acme)
    expect(await names(acme)).toEqual(['Ann Lee'])
    const replayed = await customer.ask(path, { headers })
    expect(replayed.headers.get('idempotency-replayed')).toBe('true')
    expect(replayed.body.data.contacts).toMatchObject([{ name: 'Ann Lee' }])
    expect(replayed.body.data.billing).toMatchObject({ returned_count: 1, credits_charged: 18 })
    expect(await dumped()).not.toContain(email('bo.fox'))
    await split(bolt)
    expect([...(await names(acme)), ...(await names(bolt))]).toEqual(['Ann Lee'])
  })

  test('a split keeps a name suppressed at both Companies', async () => {
    await merge(bolt, acme)
    await suppress(await at('Bo Fox', acme))
    await split(bolt)
    await service.load(bo(), person(bolt, 'Bo Fox', { email: email('bolt.fox') }))
    expect([await names(acme), await names(bolt)]).toEqual([[], []])
  })
})
