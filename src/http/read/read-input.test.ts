import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { catalogue } from '../../catalogue.ts'
import { failureCatalogue } from '../../core/failure.ts'
import type { TSchema } from '../../core/operation.ts'
import { describeSchema } from './describe-schema.ts'

const resolve = '/v1/domains/resolve'
const search = '/v1/domains/search'
const one = `${resolve}?domain=casino.example`

let service: TestService
let customer: Customer
beforeAll(async () => {
  service = await startService()
  customer = await service.customer({ credits: 1_000_000 })
})
afterAll(() => service.close())

/** Sends a refused request and returns its status, code, details and message. */
async function refused(
  path: string,
): Promise<{ status: number; code: string; details: Record<string, unknown>; message: string }> {
  const { status, body } = await customer.ask(path)
  return { status, code: body.errors?.code, details: body.errors?.details, message: body.message }
}

test('a duplicate parameter is refused, and the message says so', async () => {
  const { status, code, message } = await refused(`${one}&include[]=geo&include[]=geo`)
  expect([status, code]).toEqual([400, 'invalid_parameter'])
  expect(message).toMatch(/, without duplicates\.$/)
})

describe('unknown_parameter', () => {
  test.each([
    [`${one}&max_credit=0`, 'max_credit', 'max_credits'],
    [`${one}&maxcredits=0`, 'maxcredits', 'max_credits'],
    [`${one}&include=logos`, 'include', 'include[]'],
    [`${one}&include[0]=logos`, 'include[0]', 'include[]'],
    ['/v1/companies/search?q[]=otter', 'q[]', 'q'],
    ['/v1/companies/search?geo[]=gb', 'geo[]', 'geo'],
    ['/v1/companies/search?=otter', '', null],
    [`${one}&Domain=casino.example`, 'Domain', 'domain'],
    [`${search}?verdict=mixed&perpage=5`, 'perpage', 'per_page'],
    [`${search}?verdict=mixed&cursor=x`, 'cursor', null],
    [`${one}&something_else_entirely=1`, 'something_else_entirely', null],
    ['/v1/account?verbose=1', 'verbose', null],
    [`${one}&=1`, '', null],
  ])('the unknown parameter of %s is refused with the likely name', async (path, parameter, suggestion) => {
    const { status, code, details, message } = await refused(path)
    expect([status, code]).toEqual([400, 'unknown_parameter'])
    expect(details).toMatchObject({ parameter, did_you_mean: suggestion })
    expect(message).toContain(suggestion === null ? `"${parameter}".` : `did you mean "${suggestion}"?`)
  })

  test.each([
    ['/v1/companies/search?jurisdiction=ukcg', 'invalid_parameter', 'ukgc'],
    ['/v1/companies/search?jurisdiction=UKGC', 'invalid_parameter', 'ukgc'],
    [`${search}?verdict=block%20listed`, 'invalid_parameter', 'blocklisted'],
    [`${search}?verdict=no_record`, 'invalid_parameter', null],
    [`${one}&include[]=geo&include[]=licences`, 'unknown_include', 'licenses'],
    [`${one}&include[]=licenses,geo`, 'unknown_include', null],
  ])(
    'the unknown value in %s is refused with the word that was probably meant',
    async (path, expected, meant) => {
      const { status, code, details, message } = await refused(path)
      expect([status, code]).toEqual([400, expected])
      expect(details).toHaveProperty('did_you_mean', meant)
      expect(message.endsWith(meant === null ? '.' : `; did you mean "${meant}"?`)).toBe(true)
    },
  )

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'])(
    'the name %s, which every JavaScript object has, is refused as a parameter',
    async name => {
      const { status, code, details } = await refused(`${one}&${name}=1`)
      expect([status, code, details.parameter]).toEqual([400, 'unknown_parameter', name])
    },
  )

  test('a request with a misspelt max_credits is refused without a charge', async () => {
    const careful = await service.customer()
    await careful.ask(`${one}&max_credit=0`)
    expect((await careful.ask('/v1/account')).body.data.credits_used).toBe(0)
  })

  test('an error shortens the name of an unknown parameter', async () => {
    const { code, details } = await refused(`${one}&${'n'.repeat(5_000)}=1`)
    expect(code).toBe('unknown_parameter')
    expect(String(details.parameter).length).toBeLessThan(80)
  })
})

describe('invalid_parameter', () => {
  test.each([
    [`${one}&domain=other.example`, 'domain', 'one value'],
    [`${one}&max_credits=1&max_credits=2`, 'max_credits', 'one value'],
    [`${search}?verdict=mixed&verdict=mixed`, 'verdict', 'one value'],
    [`${resolve}?domain=`, 'domain', 'text of 1 to 2048 characters'],
    [`${one}&max_credits=`, 'max_credits', 'an integer from 0 to 1000000000'],
    [`${search}?verdict=`, 'verdict', 'one of blocklisted, licensed, mixed'],
    [`${search}?verdict=no_record`, 'verdict', 'one of blocklisted, licensed, mixed'],
    [`${search}?verdict=mixed&geo=polnad`, 'geo', expect.stringContaining('poland')],
    [
      `${search}?verdict=blocklisted&since=2026-03-02T00:00:00Z&until=2026-03-01T00:00:00Z`,
      'until',
      'a time that is not before "since"',
    ],
    [
      `${search}?verdict=mixed&payment_category=cash`,
      'payment_category',
      expect.stringContaining('open_banking'),
    ],
    [`${search}?verdict=mixed&per_page=0`, 'per_page', 'an integer from 1 to 1000'],
    [`${search}?verdict=mixed&per_page=1001`, 'per_page', 'an integer from 1 to 1000'],
    [`${search}?verdict=mixed&page=0`, 'page', expect.any(String)],
    [`${search}?verdict=mixed&platform=x`, 'platform', 'text of 2 to 200 characters'],
    [`${one}&max_age_days=3651`, 'max_age_days', 'an integer from 0 to 3650'],
    [`${one}&include[]=logos&include[]=logos`, 'include[]', expect.any(String)],
  ])('the invalid value in %s is refused with the accepted values', async (path, parameter, takes) => {
    const { status, code, details, message } = await refused(path)
    expect([status, code]).toEqual([400, 'invalid_parameter'])
    expect(details).toMatchObject({ parameter, takes })
    expect(message).toContain(parameter)
  })

  test.each(['-1', '1.5', '1e3', '0x10', 'ten', 'null', '+1', '1 ', '99999999999999999999', 'NaN', '١'])(
    'the value max_credits=%s is not an accepted integer',
    async value => {
      const { status, code } = await refused(`${one}&max_credits=${encodeURIComponent(value)}`)
      expect([status, code]).toEqual([400, 'invalid_parameter'])
    },
  )

  test.each([
    '2026-03-01',
    '2026-03-01T00:00:00',
    '2026-13-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-03-01T25:00:00Z',
    '2026-06-30T23:59:60Z',
    '0001-01-01T00:00:00Z',
    '9999-01-01T00:00:00Z',
    '1767225600',
    'yesterday',
  ])('the value since=%s is not an accepted time', async value => {
    const { status, code, details } = await refused(
      `${search}?verdict=mixed&since=${encodeURIComponent(value)}`,
    )
    expect([status, code, details.parameter]).toEqual([400, 'invalid_parameter', 'since'])
  })

  test.each(['2026-03-01T00:00:00Z', '2026-03-01T00:00:00.123456Z', '2026-03-01T02:00:00%2B02:00'])(
    'the value since=%s is accepted',
    async value => {
      expect((await customer.ask(`${search}?verdict=mixed&since=${value}`)).status).toBe(200)
    },
  )
})

describe('the accepted values of a parameter', () => {
  test('every parameter of every operation describes its accepted values in words', () => {
    const schemas = catalogue.flatMap(({ query, params, body }) =>
      [query, params, body].flatMap(declared =>
        Object.values(declared?.properties ?? {}).flatMap(withMembers),
      ),
    )
    const descriptions = schemas.map(schema => describeSchema(schema))
    expect(descriptions.filter(words => /[\\^$]|undefined|up to 1 |one of [^,]+$/.test(words))).toEqual([])
    const unsaid = schemas.filter(
      ({ pattern, takes }) => pattern !== undefined && pattern !== '\\S' && takes === undefined,
    )
    expect(unsaid).toEqual([])
  })

  test.each([
    ['/v1/companies/resolve?name=%20', '"name" must be text of 1 to 500 characters, not only blanks.'],
    [
      '/v1/companies/resolve?name=x&include[]=people',
      '"include[]" must be a list of at most one value, "firmographics".',
    ],
    ['/v1/signals/platform-sites?role=supplier&platform=x', '"role" must be "operator".'],
    [
      '/v1/signals/register-changes?jurisdiction=ukgc&source_stream_key=x',
      '"source_stream_key" must be the key of a stream, as ukgc.licences.',
    ],
    [`${search}?verdict=mixed&page=2&after=x`, 'With "after", omit "page".'],
    [
      `${search}?verdict=mixed&page=101&per_page=100`,
      'Page 101 of 100 rows is beyond the first 10,000 rows. ' +
        'To go further, send next_cursor of the previous page as "after".',
    ],
  ])('the parameters of %s are refused with a sentence', async (path, message) => {
    expect((await refused(path)).message).toBe(message)
  })
})

/** Yields a schema and the schemas of its members. */
function withMembers(schema: TSchema): Described[] {
  const { properties = {}, items } = schema as { properties?: Record<string, TSchema>; items?: TSchema }
  const members = [...Object.values(properties), ...(items === undefined ? [] : [items])]
  return [schema as Described, ...members.flatMap(withMembers)]
}
type Described = { type?: string; pattern?: string; takes?: string }

test.each([
  [resolve, 'domain'],
  [search, 'verdict'],
])('missing_parameter: a request to %s without %s is refused', async (path, parameter) => {
  const { status, code, details } = await refused(path)
  expect([status, code]).toEqual([400, 'missing_parameter'])
  expect(details).toMatchObject({ parameter, takes: expect.any(String) })
})

test('a plus sign in a query is read as a blank', async () => {
  expect(await refused(`${search}?verdict=mixed&platform=very+unknown`)).toMatchObject({
    code: 'unknown_platform',
  })
})

describe('arbitrary requests', () => {
  const hostile = fc.constantFrom(
    ...[
      '\0',
      '%00',
      "'; drop table domains; --",
      '{{7*7}}',
      '\u202e',
      '\ud800',
      '😀',
      '%',
      '%ff',
      '../../etc/passwd',
      '\r\nx: y',
    ],
    ...[
      '[]',
      '__proto__[x]',
      '9'.repeat(40),
      '-0',
      'true',
      'NaN',
      'xn--',
      'a'.repeat(3_000),
      'http://[::1',
      '1.1.1.1',
      '*',
    ],
  )
  const value = fc.oneof(
    hostile,
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.webUrl(),
    fc.integer().map(String),
  )
  const names = [...new Set(catalogue.flatMap(operation => Object.keys(operation.query.properties)))]
  const name = fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: value })
  const encoded = (text: string) => encodeURIComponent(text.toWellFormed()).replaceAll('%25', '%')
  const query = fc.array(fc.tuple(name, value), { maxLength: 5 })
  const base = fc.constantFrom(
    one,
    resolve,
    `${search}?verdict=licensed`,
    search,
    '/v1/account',
    '/v1/domains',
  )
  const headerText = fc.stringMatching(/^[\x21-\x7e\xa1-\xff]{0,60}$/)
  const headers = fc.record(
    {
      'idempotency-key': headerText,
      'x-request-id': headerText,
      'x-client-version': headerText,
      'x-forwarded-for': headerText,
      authorization: headerText,
      'content-type': headerText,
      accept: headerText,
      'if-none-match': headerText,
    },
    { requiredKeys: [] },
  )

  test('arbitrary requests never answer a 5xx, and always have a code of the catalogue', async () => {
    await fc.assert(
      fc.asyncProperty(base, query, headers, async (path, parameters, sent) => {
        const text = parameters.map(([key, each]) => `${encoded(key)}=${encoded(each)}`).join('&')
        const {
          status,
          body,
          headers: received,
        } = await customer.ask(`${path}${path.includes('?') ? '&' : '?'}${text}`, {
          headers: sent,
        })
        expect(status).toBeLessThan(500)
        expect(received.get('x-request-id')).toBeTruthy()
        expect(body.success).toBe(status === 200)
        expect(body.timestamp).toEqual(expect.any(String))
        if (status !== 200) expect(failureCatalogue).toHaveProperty(body.errors.code)
      }),
      { numRuns: 300 },
    )
  })
})
