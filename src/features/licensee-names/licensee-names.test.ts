import { withoutPeople } from '@baize/registers/entries'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { type Person, signIn } from '../../../test/harness/sign-in.ts'
import {
  authorisation,
  fakeStream,
  fileOf,
  license,
  licensee,
  syncApproved,
} from '../../registers/fixture.ts'
import { verifyReplay } from '../../verify/replay.ts'
import { verifyCompanies } from '../companies/index.ts'
import { decideName, listDoubtfulNames, suppressEverywhere } from './index.ts'

let service: TestService
let customer: Customer
let ada: Person
let hours = 0
beforeAll(async () => {
  service = await startService()
  customer = await service.customer({ credits: 10_000, plan: 'growth' })
  ada = await signIn(service, { isStaff: true })
})
afterAll(() => service.close())

const live = () => service.service.live
const page = '/dashboard/staff/names'

const asGerman = (key: string) => {
  const plain = fakeStream(key, { regulatorCountryCode: 'DE' })
  return {
    ...plain,
    official: { ...plain.official, language: 'de' },
    read: (files: Parameters<typeof plain.read>[0]) =>
      withoutPeople(plain.read(files), { language: 'de', regulator_country_code: 'DE' }),
  }
}
const numbered = asGerman('germany.operators')
/** A register without numbers identifies licensees by their names. */
const named = asGerman('germany.agents')

const agent = (key: string, legalName: string, tradingNames: string[] = []) => [
  licensee(key, { legalName, tradingNames, country: 'DE' }),
  license(`${key}|lotto`, key, { licenseNumber: null }),
  authorisation(/^\d+$/.test(key) ? `${key}.example` : `site-of-${key.length}.example`, {
    recordKey: `${key}|lotto|site`,
    licenseKey: `${key}|lotto`,
    licenseeKey: key,
  }),
]

async function sync(stream: typeof numbered, ...agents: ReturnType<typeof agent>[]) {
  hours += 1
  const takenAt = new Date(Date.UTC(2026, 9, 1, hours))
  const report = await syncApproved(live(), stream, [fileOf(...agents.flat())], { takenAt, now: new Date() })
  expect(report.status).toMatch(/^(?:applied|unchanged)$/)
}

/** Searches all tables but those of files, which contain what the register published. */
async function tablesWith(word: string): Promise<string[]> {
  const { database } = live()
  const { rows } = await sql<{ name: string }>`
    select relname as name
      from pg_class
     where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and relname !~ '^kept_'
     order by relname`.execute(database)
  const found: string[] = []
  for (const { name } of rows) {
    const { rows: matches } = await sql`
      select from ${sql.table(name)} as stored where stored::text ilike ${`%${word}%`} limit 1`.execute(
      database,
    )
    if (matches.length > 0) found.push(name)
  }
  return found
}

const get = async (path: string, headers: Record<string, string> = {}) =>
  (await customer.ask(path, { headers })).body

const statedBy = (receipt: string) => Buffer.from(receipt.split('.')[1] ?? '', 'base64url').toString()

const musterfeld = 'Musterfeld Jürgen'
const eichholz = 'Eichholz Ulrike'
const birkental = 'Birkental Renate'

describe('names of licensees that may be those of people', () => {
  test('they are published, and staff see them with their registers', async () => {
    await sync(numbered, agent('4011', musterfeld, ['Glückshafen', musterfeld]), agent('4013', 'Otter GmbH'))
    await sync(numbered, agent('4011', musterfeld, ['Glückshafen']), agent('4014', eichholz))
    await sync(named, agent('Musterfeld Jürgen', musterfeld), agent('Heron GmbH', 'Heron GmbH'))
    await sync(named, agent('Birkental Renate', birkental), agent('Musterfeld Jürgen', musterfeld))
    const { total, names } = await listDoubtfulNames(live().database)
    expect([total, names.map(each => each.name)]).toEqual([3, [birkental, eichholz, musterfeld]])
    expect(names[2]?.listed.map(each => each.stream).toSorted()).toEqual([
      'germany.agents',
      'germany.operators',
    ])
    const { status, text } = await ada.get(page)
    expect([status, text.includes(musterfeld), text.includes('Otter GmbH')]).toEqual([200, true, false])
  })

  test('a person that staff decide disappears from all that is stored and answered', async () => {
    const headers = { 'idempotency-key': 'a-retry' }
    expect(JSON.stringify(await get('/v1/companies/resolve?domain=4011.example', headers))).toContain(
      musterfeld,
    )
    const verdict = '/v1/domains/resolve?domain=site-of-17.example&receipt=true'
    const signed = await get(verdict, { 'idempotency-key': 'a-receipt' })
    expect(statedBy(signed.data.receipt)).toContain(musterfeld)
    const before = await get('/v1/signals/register-changes?jurisdiction=germany&page_size=20')
    expect(await tablesWith('Musterfeld')).toContain('company_identities')

    expect((await ada.post(page, { name: musterfeld, kind: 'person', reason: 'An agent' })).status).toBe(303)
    expect(await tablesWith('Musterfeld')).toEqual([])
    expect(await tablesWith('Jürgen')).toEqual([])
    const answers = [
      await get('/v1/companies/resolve?domain=4011.example', headers),
      await get('/v1/companies/resolve?domain=4011.example'),
      await get('/v1/companies/resolve?domain=site-of-17.example'),
      await get('/v1/licenses/search?jurisdiction=germany'),
      await get('/v1/signals/register-changes?jurisdiction=germany&page_size=20'),
      await get('/v1/signals/market-entries?role=operator&page_size=20'),
    ]
    expect(JSON.stringify(answers)).not.toContain(musterfeld)
    const { receipt: _, ...rest } = signed.data
    expect((await get(verdict, { 'idempotency-key': 'a-receipt' })).data).toEqual(
      JSON.parse(JSON.stringify(rest).replaceAll(musterfeld, 'Natural person (register no. 4011)')),
    )
    expect(statedBy((await get(verdict)).data.receipt)).not.toMatch(/Musterfeld|Jürgen/)
    expect(answers[1].data.companies).toMatchObject([
      {
        company_name: 'Natural person (register no. 4011)',
        legal_entity: null,
        subject_kind: 'unknown',
        brands: ['Glückshafen'],
      },
    ])
    expect(answers[4].data.total).toBe(before.data.total)
    expect((await ada.get(page)).text).not.toContain(musterfeld)
  })

  test('later files of the registers do not bring the name back', async () => {
    const { total } = (await get('/v1/signals/register-changes?jurisdiction=germany&page_size=20')).data
    await sync(numbered, agent('4011', 'MUSTERFELD, Jürgen'), agent('4014', eichholz))
    await sync(numbered, agent('4011', musterfeld, [musterfeld]), agent('4014', eichholz))
    await sync(named, agent('Musterfeld Jürgen', musterfeld), agent('Birkental Renate', birkental))
    expect(await tablesWith('Musterfeld')).toEqual([])
    const after = (await get('/v1/signals/register-changes?jurisdiction=germany&page_size=20')).data
    expect(after.total).toBe(total)
  })

  test('a name that staff decide to be a firm is remembered, and stays', async () => {
    await ada.post(page, { name: birkental, kind: 'firm', reason: 'A shop, says its imprint' })
    expect((await listDoubtfulNames(live().database)).names.map(each => each.name)).toEqual([eichholz])
    await sync(named, agent('Birkental Renate', birkental), agent('Heron GmbH', 'Heron GmbH'))
    expect((await listDoubtfulNames(live().database)).names.map(each => each.name)).toEqual([eichholz])
    expect(await tablesWith(birkental)).toContain('company_identities')
  })

  test('"people suppress" replaces the name of the licensee, and that of no firm', async () => {
    const { data } = await get('/v1/companies/resolve?domain=4014.example')
    const [company] = data.companies
    const suppress = (name: string, ref: string) =>
      suppressEverywhere(live(), { named: { name, company: ref }, reason: 'request 12', now: new Date() })
    await sync(numbered, agent('4011', musterfeld), agent('4014', eichholz), agent('4015', 'William Hill'))
    const [hill] = (await get('/v1/companies/resolve?domain=4015.example')).data.companies
    expect(await suppress('Hill William', hill.company_ref)).toMatchObject({ licensees: 0 })
    expect(await suppress('Ulrike Eichholz', company.company_ref)).toMatchObject({ licensees: 1 })
    expect(await tablesWith('Eichholz')).toEqual([])
    expect(await tablesWith('William Hill')).toContain('company_identities')
    await sync(numbered, agent('4014', eichholz), agent('4015', 'William Hill'))
    expect(await tablesWith('Eichholz')).toEqual([])
  })

  test('a replay of the history gives the same facts without the names', async () => {
    const { differences } = await verifyReplay(live(), service.database.connection)
    expect(differences).toEqual([])
    expect((await verifyCompanies(live().database)).differences).toEqual([])
    expect((await get('/v1/companies/search?q=Musterfeld')).data.total).toBe(0)
  })

  test.each([
    [{ name: ' ', isPerson: true, why: 'x' }, '"name" must have letters'],
    [{ name: musterfeld, isPerson: true, why: ' ' }, 'Give a reason'],
    [{ name: musterfeld, isPerson: true, why: 'It is Musterfeld Jürgen' }, 'must not contain the name'],
  ])('a wrong decision is refused: %j', async (wrong, message) => {
    expect(() => decideName(live(), { ...wrong, now: new Date() })).toThrow(message)
  })
})
