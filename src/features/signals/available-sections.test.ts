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

/** What is told of the paid sections of each market entry, by the name of who entered. */
async function coverageOf(...include: string[]) {
  const asked = include.map(section => `&include[]=${section}`).join('')
  const { status, body } = await customer.ask(`/v1/signals/market-entries?role=operator&market=ukgc${asked}`)
  expect([status, body.data.billing.credits_charged]).toEqual([200, body.data.signals.length])
  return Object.fromEntries(
    body.data.signals.map((signal: Told) => {
      const { firmographics, contacts } = signal.quality.coverage
      return [signal.regulatory.licensee_legal_name, { firmographics, contacts }]
    }),
  )
}

type Covered = { status: string; reason: string | null }
type Told = {
  regulatory: { licensee_legal_name: string }
  quality: { coverage: { firmographics: Covered; contacts: Covered } }
}

async function refOf(name: string): Promise<string> {
  const { body } = await customer.ask(`/v1/companies/resolve?legal_entity=${encodeURIComponent(name)}`)
  return body.data.resolved_company_ref
}

const notRequested = { status: 'not_requested', reason: null }
const noneHeld = { status: 'not_available', reason: 'none_held' }
const available = { status: 'available', reason: null }

test('a section that is held of the Company is available to whoever asks for it, and resolved there', async () => {
  const both = ['contacts', 'firmographics']
  const nothing = { firmographics: noneHeld, contacts: noneHeld }
  expect(await coverageOf(...both)).toEqual({ 'Otter Limited': nothing, 'Heron Limited': nothing })

  const otter = await refOf('Otter Limited')
  await service.load(
    { kind: 'firmographics', domain: 'otter.example', fetched_at: day(2).toISOString(), name: 'Otter' },
    { kind: 'contact', company: otter, name: 'Ada', email: 'ada@otter.example', source: 'website' },
    // Nobody can reach him, so that nothing is to be had.
    { kind: 'contact', company: await refOf('Heron Limited'), name: 'Bob', source: 'website' },
  )
  expect(await coverageOf(...both)).toEqual({
    'Otter Limited': { firmographics: available, contacts: available },
    'Heron Limited': nothing,
  })
  expect(await coverageOf('contacts')).toMatchObject({
    'Otter Limited': { firmographics: notRequested, contacts: available },
    'Heron Limited': { firmographics: notRequested, contacts: noneHeld },
  })
  const people = await customer.ask(`/v1/companies/${otter}/people`)
  const profile = await customer.ask(`/v1/companies/resolve?company_ref=${otter}&include[]=firmographics`)
  expect(people.body.data.contacts).toMatchObject([{ name: 'Ada' }])
  expect(profile.body.data.companies[0].firmographics).toMatchObject([{ available: true }])
})

test('of a Company that was merged, what is held of the one that answers for it', async () => {
  const [from, into] = [await refOf('Heron Limited'), await refOf('Otter Limited')]
  await mergeCompanies(service.service.live, { from, into, reason: 'one owner', now: day(3) })
  expect((await coverageOf('contacts', 'firmographics'))['Heron Limited']).toEqual({
    firmographics: available,
    contacts: available,
  })
})
