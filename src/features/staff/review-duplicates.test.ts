import type { Reading } from '@baize/registers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type TestService } from '../../../test/harness/service.ts'
import { type Person, signIn } from '../../../test/harness/sign-in.ts'
import { authorisation, day, license, licensee } from '../../registers/fixture.ts'
import { openSources, type Sources } from '../companies/fixture.ts'

const page = '/dashboard/staff/duplicates'

const named = ['Lucky Otter Ltd', 'Happy Badger Ltd', 'Sly Stoat Ltd']
const rows = (prefix: string, country: string | null = null): Reading[] =>
  named.flatMap((legalName, index) => {
    const key = `${prefix}${index + 1}`
    return [
      licensee(key, { legalName, country, tradingNames: [`Brand ${index + 1}`] }),
      license(`L${key}`, key, { licenseNumber: `${prefix}-${index + 1}` }),
      authorisation(`${key}.example`.toLowerCase(), { licenseKey: `L${key}`, licenseeKey: key }),
    ]
  })

let service: TestService
let sources: Sources
let staff: Person
beforeAll(async () => {
  service = await startService()
  sources = openSources(service.service.live)
  staff = await signIn(service, { isStaff: true })

  await sources.sync('malta', day(10), ...rows('M'))
  await sources.sync('sweden', day(10), ...rows('S'))
})
afterAll(() => service.close())

const refsOf = async (number: number) =>
  Promise.all([
    sources.refOf(`malta.licences:M${number}`),
    sources.refOf(`sweden.licences:S${number}`),
  ] as const)
const listed = async (query = '') => (await staff.read(`${page}${query}`)).body.data
const auditOf = async (action: string) =>
  (await staff.read(`/dashboard/staff/audit?action=${action}`)).body.data.events

test('staff see a pair with the names, licenses and sites of both Companies', async () => {
  const [one, other] = await refsOf(1)
  const { pairs, before, after } = await listed()
  expect([pairs.length, before, after]).toEqual([3, null, null])
  expect(pairs[0]).toMatchObject({ score: 40, for: ['same name'], against: [] })
  expect(pairs[0].companies).toEqual([
    {
      company_ref: one,
      company_name: 'Lucky Otter Ltd',
      names: ['Lucky Otter Ltd'],
      numbers: [],
      countries: [],
      brands: ['Brand 1'],
      identities: ['malta.licences:M1'],
      groups: [],
      licenses: [expect.stringContaining('M-1')],
      licenses_total: 1,
      domains: ['m1.example'],
      domains_total: 1,
      imprints: [],
    },
    expect.objectContaining({ company_ref: other, identities: ['sweden.licences:S1'] }),
  ])
  expect((await listed('?after=20')).pairs).toEqual([])
  expect((await staff.read(`${page}?after=-1`)).status).toBe(400)
})

test('staff merge a pair with a reason, which is one Company then and no pair any more', async () => {
  const [one, other] = await refsOf(1)
  const { headers } = await staff.post(`${page}/${one}/${other}/merge`, { reason: 'the annual report' })
  expect(headers.get('location')).toBe(page)
  expect(await refsOf(1)).toEqual([one, one])
  expect((await listed()).pairs).toHaveLength(2)
  expect(await auditOf('company.merged')).toMatchObject([
    { email: staff.email, subject: other, details: { into: one, reason: 'the annual report' } },
  ])
})

test('staff keep a pair apart for ever, and a later sync does not list it again', async () => {
  const [one, other] = await refsOf(2)
  await staff.post(`${page}/${one}/${other}/distinct`, { reason: 'two boards' })
  await sources.sync('malta', day(11), ...rows('M', 'MT'))
  const refs = (await listed()).pairs.flatMap(({ companies }: { companies: { company_ref: string }[] }) =>
    companies.map(each => each.company_ref),
  )
  expect(refs).not.toContain(one)
  expect(await auditOf('company.distinct')).toMatchObject([{ subject: one, details: { other } }])
})

test('a decision without a reason, or of an unknown or merged Company, is refused and says why', async () => {
  const [merged] = (await auditOf('company.merged')) as { subject: string }[]
  const [one] = await refsOf(3)
  const messageOf = async (path: string, fields: Record<string, string>) => {
    const { status, text } = await staff.post(`${page}/${path}`, fields)
    return [status, /role="alert">([^<]*)/.exec(text)?.[1]]
  }
  expect(await messageOf(`${one}/co_none/merge`, { reason: 'x' })).toEqual([
    400,
    'Company co_none does not exist.',
  ])
  expect(await messageOf(`${one}/${one}/distinct`, { reason: 'x' })).toEqual([400, 'Name two Companies.'])
  expect(await messageOf(`${one}/${merged?.subject}/merge`, { reason: 'x' })).toEqual([
    400,
    expect.stringContaining('has already been merged'),
  ])
  expect((await messageOf(`${one}/co_none/distinct`, {}))[0]).toBe(400)
})
