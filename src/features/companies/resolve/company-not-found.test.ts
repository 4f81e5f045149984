import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { day } from '../../../registers/fixture.ts'
import { reviewPlatform } from '../../signals/index.ts'
import { type CompanyService, creditsUsed, type Parameters, startCompanyService } from './fixture.ts'

let service: CompanyService
beforeAll(async () => {
  service = await startCompanyService({ world: 'demo_with_registers' })
})
afterAll(() => service.close())

async function missing(parameters: Parameters, path = '/v1/companies/resolve') {
  const customer = await service.customer()
  const query = new URLSearchParams(parameters as Record<string, string>)
  const { status, body } = await customer.ask(`${path}?${query}`)
  expect([status, body.errors.code, await creditsUsed(customer)]).toEqual([404, 'not_found', 0])
  return { message: body.message as string, ...body.errors.details }
}

const previewOf = async (href: string) => (await (await service.customer()).ask(href)).body.data

describe('a Company that is not found', () => {
  test('the message for a name without a Company quotes the name and suggests the free preview', async () => {
    const { message, value, preview } = await missing({ name: 'otter' })
    expect(message).toMatch(
      /^No Company has exactly the name "otter"\. The free preview of a search finds \d: Ot\*\*\*/,
    )
    expect([value, preview.href]).toEqual(['otter', '/v1/companies/search/preview?q=otter'])
    const { total_count, sample, next_action } = await previewOf(preview.href)
    expect(total_count).toBeGreaterThan(0)
    expect(preview).toEqual({ href: preview.href, total_count, sample, next_action })
  })

  test('the message for a name that resembles no Company says that the preview finds nothing', async () => {
    const { message, preview } = await missing({ name: 'zzyzx quux' })
    expect(message).toBe(
      'No Company has exactly the name "zzyzx quux". The free preview of a search finds nothing similar.',
    )
    expect(preview).toMatchObject({ total_count: 0, sample: [], next_action: null })
  })

  test.each<[Parameters, string]>([
    [{ legal_entity: 'Ottermoor' }, 'No Company has exactly the legal name "Ottermoor". The free preview'],
    [{ license_number: '099101-R' }, 'No Company is known to hold the license number "099101-R". The free'],
    [{ domain: 'www.neverheard.example' }, 'No Company is known for the domain "neverheard.example".'],
    [{ company_ref: 'co_nothing' }, 'There is no Company "co_nothing".'],
    [
      { domain: 'luckyotter.example', 'include[]': 'firmographics', domain_ref: 'dom_0' },
      '"dom_0" is not a Domain of this Company.',
    ],
  ])('the message of a 404 says which value was not found: %j', async (parameters, message) => {
    expect((await missing(parameters)).message).toContain(message)
  })

  test.each<[string, Parameters, string]>([
    ['/v1/licenses/resolve', { license_ref: 'lic_0' }, 'There is no license "lic_0".'],
    [
      '/v1/licenses/resolve',
      { license_number: '099101-R', jurisdiction: 'mga' },
      'In mga no license has exactly the number "099101-R". The free preview of a search finds',
    ],
  ])(
    'the message of a 404 of %s with %j names the value that was not found',
    async (path, parameters, message) => {
      expect((await missing(parameters, path)).message).toContain(message)
    },
  )

  test('the message for a license number of several jurisdictions names the jurisdictions', async () => {
    await service.load(
      day(1),
      { kind: 'license', jurisdiction: 'latvia', license_number: 'A-78' },
      { kind: 'license', jurisdiction: 'estonia', license_number: 'A-78' },
    )
    const { body } = await service.resolve({ license_number: 'a-78' })
    expect(body.message).toBe(
      'These jurisdictions use that license number: estonia, latvia. Also send "jurisdiction".',
    )
  })

  test('the message of a 404 shortens a long value', async () => {
    const { message } = await missing({ name: 'x'.repeat(150) })
    expect(message).toContain(`"${'x'.repeat(100)}…"`)
  })

  test('a value that the free preview would refuse answers 404 without suggesting the preview', async () => {
    await service.load(day(1), { kind: 'platform', key: 'cogwheel', name: 'Cogwheel', aliases: [] })
    await reviewPlatform(service.service.live, 'cogwheel', day(2))
    expect(await missing({ name: 'Cogwheel' })).toEqual({
      message: 'No Company has exactly the name "Cogwheel".',
      value: 'Cogwheel',
    })
    expect((await missing({ name: 'x' })).preview).toBeUndefined()
  })
})
