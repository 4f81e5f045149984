import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Customer } from '../../../test/harness/service.ts'
import { authorisation, day, license, licensee } from '../../registers/fixture.ts'
import { mergeCompanies } from '../companies/index.ts'
import { type LicenseService, startLicenseService } from '../licenses/fixture.ts'

let service: LicenseService
let customer: Customer
beforeAll(async () => {
  service = await startLicenseService()
  customer = await service.customer({ credits: 1_000, plan: 'growth' })
  const otter = licensee('otter', { legalName: 'Otter Limited' })
  const heron = licensee('heron', { legalName: 'Heron Limited' })
  await service.sync('ukgc', 1, otter, heron, license('old', 'heron'))
  await service.sync(
    'ukgc',
    2,
    otter,
    heron,
    license('old', 'heron'),
    license('one', 'otter'),
    authorisation('otter.example', { licenseKey: 'one', licenseeKey: 'otter' }),
    license('two', 'heron'),
  )
})
afterAll(() => service.close())

async function coverageOf(...include: string[]) {
  const sections = include.map(section => `&include[]=${section}`).join('')
  const { status, body } = await customer.ask(
    `/v1/signals/market-entries?role=operator&market=ukgc${sections}`,
  )
  expect([status, body.data.billing.credits_charged]).toEqual([200, body.data.signals.length])
  return Object.fromEntries(
    body.data.signals.map((signal: Entry) => {
      const { firmographics, contacts } = signal.quality.coverage
      return [signal.regulatory.licensee_legal_name, { firmographics, contacts }]
    }),
  )
}

type Coverage = { status: string; reason: string | null }
type Entry = {
  regulatory: { licensee_legal_name: string }
  quality: { coverage: { firmographics: Coverage; contacts: Coverage } }
}

async function refOf(name: string): Promise<string> {
  const { body } = await customer.ask(`/v1/companies/resolve?legal_entity=${encodeURIComponent(name)}`)
  return body.data.resolved_company_ref
}

const notRequested = { status: 'not_requested', reason: null }
const noneStored = { status: 'not_available', reason: 'none_held' }
const available = { status: 'available', reason: null }

test('a Signal reports on request which sections have stored data, and does not contain them', async () => {
  const both = ['contacts', 'firmographics']
  const nothing = { firmographics: noneStored, contacts: noneStored }
  expect(await coverageOf(...both)).toEqual({ 'Otter Limited': nothing, 'Heron Limited': nothing })

  const otter = await refOf('Otter Limited')
  await service.load(
    { kind: 'firmographics', domain: 'otter.example', fetched_at: day(2).toISOString(), name: 'Otter' },
    { kind: 'contact', company: otter, name: 'Ada', email: 'ada@otter.example', source: 'website' },
    // A contact without an address is not delivered.
    { kind: 'contact', company: await refOf('Heron Limited'), name: 'Bob', source: 'website' },
  )
  expect(await coverageOf(...both)).toEqual({
    'Otter Limited': { firmographics: available, contacts: available },
    'Heron Limited': nothing,
  })
  expect(await coverageOf('contacts')).toMatchObject({
    'Otter Limited': { firmographics: notRequested, contacts: available },
    'Heron Limited': { firmographics: notRequested, contacts: noneStored },
  })
  const people = await customer.ask(`/v1/companies/${otter}/people`)
  const profile = await customer.ask(`/v1/companies/resolve?company_ref=${otter}&include[]=firmographics`)
  expect(people.body.data.contacts).toMatchObject([{ name: 'Ada' }])
  expect(profile.body.data.companies[0].firmographics).toMatchObject([{ available: true }])
})

test('a Signal of a merged Company reports the sections of the surviving Company', async () => {
  const [from, into] = [await refOf('Heron Limited'), await refOf('Otter Limited')]
  await mergeCompanies(service.service.live, { from, into, reason: 'one owner', now: day(3) })
  expect((await coverageOf('contacts', 'firmographics'))['Heron Limited']).toEqual({
    firmographics: available,
    contacts: available,
  })
})
