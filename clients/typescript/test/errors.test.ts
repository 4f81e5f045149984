import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { failureCatalogue } from '../../../src/core/failure.ts'
import { startService, type TestService } from '../../../test/harness/service.ts'
import * as exported from '../src/index.ts'
import { ApiError, Baize, BaizeError, type Reply } from '../src/index.ts'

const exportsByName: Record<string, unknown> = { ...exported }

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

async function clientWith({ credits = 10 } = {}): Promise<Baize> {
  const { key } = await service.customer({ credits })
  return new Baize({ apiKey: key, baseUrl: service.url, maxRetries: 0 })
}

async function errorOf(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => null,
    caught => caught,
  )
  expect(error).toBeInstanceOf(ApiError)
  return error as ApiError
}

test('each error code of the catalogue has an exported class', () => {
  const names = Object.keys(failureCatalogue).map(
    code =>
      `${code
        .replace(/_error$/, '')
        .split('_')
        .map(word => word[0]?.toUpperCase() + word.slice(1))
        .join('')}Error`,
  )
  expect(names.filter(name => !Object.hasOwn(exportsByName, name))).toEqual([])
})

describe('refusals of the service', () => {
  test('an error response with details becomes an error of its own class with the details', async () => {
    const baize = await clientWith()
    const error = await errorOf(
      baize.resolveDomain({
        domain: 'luckyotter.example',
        include: ['operator_launch_profile'],
        max_credits: 0,
      }),
    )
    expect(error).toBeInstanceOf(exported.MaxCreditsExceededError)
    expect(error).toMatchObject({
      name: 'MaxCreditsExceededError',
      status: 402,
      code: 'max_credits_exceeded',
      details: { max_credits: 0, quoted_credits: expect.any(Number) },
      docUrl: 'http://baize.test/docs/errors/max_credits_exceeded',
      requestId: expect.any(String),
      retryAfterSeconds: null,
      attempts: 1,
      idempotencyKey: expect.any(String),
    })
    expect(error.message).toBe(`${error.reason} (402, max_credits_exceeded, request ${error.requestId})`)
    expect([error.response.status, JSON.parse(error.text).errors.code]).toEqual([402, 'max_credits_exceeded'])
  })

  test('an empty balance is not a ThrottledError, and is not retried', async () => {
    const { key } = await service.customer({ credits: 0 })
    const baize = new Baize({ apiKey: key, baseUrl: service.url, maxRetries: 5 })
    const error = await errorOf(baize.resolveDomain({ domain: 'luckyotter.example' }))
    expect(error).toBeInstanceOf(exported.QuotaExceededError)
    expect([error.attempts, error.details]).toMatchObject([1, { granted: 0, used: 0, required: 1 }])
  })

  test('the throttle’s refusal is a ThrottledError with the time to wait', async () => {
    const throttled = await startService({ throttlePerMinute: 1 })
    try {
      const { key } = await throttled.customer()
      const baize = new Baize({ apiKey: key, baseUrl: throttled.url, maxRetries: 0 })
      await baize.getAccount()
      const error = await errorOf(baize.getAccount())
      expect(error).toBeInstanceOf(exported.ThrottledError)
      expect([error.status, error.code, error.retryAfterSeconds]).toEqual([429, null, expect.any(Number)])
    } finally {
      await throttled.close()
    }
  })

  test('the refusal of an invalid key is an UnauthorizedError', async () => {
    const baize = new Baize({ apiKey: 'client_unknown', baseUrl: service.url })
    const error = await errorOf(baize.getAccount())
    expect(error).toBeInstanceOf(exported.UnauthorizedError)
    expect([error.code, error.docUrl]).toEqual([null, 'http://baize.test/docs/keys'])
  })

  test.each([
    ['InvalidDomainError', (baize: Baize) => baize.resolveDomain({ domain: '10.0.0.1' })],
    ['NotFoundError', (baize: Baize) => baize.resolveCompany({ domain: 'nobody.example' })],
    ['MissingParameterError', (baize: Baize) => baize.resolveCompany()],
    ['InvalidCursorError', (baize: Baize) => baize.listRegisterChanges({ jurisdiction: 'ukgc', after: 'x' })],
    ['UnprocessableBodyError', (baize: Baize) => baize.resolveDomains({ domains: [] })],
    ['UnknownParameterError', (baize: Baize) => baize.searchLogos({ q: 'otter', knd: 'company' } as never)],
  ] as const)('a refusal of the service is an instance of %s', async (name, call) => {
    const error = await errorOf(call(await clientWith()))
    expect(error.constructor).toBe(exportsByName[name])
    expect(error.name).toBe(name)
  })

  test('a refusal with an unknown code is an ApiError with the code', async () => {
    const body = {
      success: false,
      message: 'Not today.',
      errors: { code: 'closed_on_sundays', details: { day: 7 } },
    }
    const fetch = async () => new Response(JSON.stringify(body), { status: 403 })
    const error = await errorOf(new Baize({ apiKey: 'client_x', fetch }).getAccount())
    expect(error.constructor).toBe(ApiError)
    expect(error).toMatchObject({ code: 'closed_on_sundays', details: { day: 7 }, reason: 'Not today.' })
  })

  test.each(['constructor', 'toString', '__proto__'])(
    'an error response whose code %s is a property of Object becomes an ApiError',
    async code => {
      const fetch = async () => new Response(JSON.stringify({ errors: { code } }), { status: 400 })
      expect((await errorOf(new Baize({ apiKey: 'client_x', fetch }).getAccount())).constructor).toBe(
        ApiError,
      )
    },
  )
})

test('the client returns a response with an unknown verdict and an unknown field unchanged', async () => {
  const data = { domain: 'a.example', verdict: 'under_review', score: { of: 'tomorrow' } }
  const fetch = async () => new Response(JSON.stringify({ success: true, data }))
  const answer = await new Baize({ apiKey: 'client_x', fetch }).resolveDomain({ domain: 'a.example' })
  expect(answer).toEqual(data)
})

describe('settings', () => {
  const variables = { BAIZE_API_KEY: process.env.BAIZE_API_KEY, BAIZE_BASE_URL: process.env.BAIZE_BASE_URL }
  afterAll(() => {
    for (const [name, value] of Object.entries(variables)) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  })

  test('the client reads its settings from BAIZE_API_KEY and BAIZE_BASE_URL', async () => {
    const { key } = await service.customer({ credits: 7 })
    // A key from a file may end with a line break.
    process.env.BAIZE_API_KEY = `${key}\n`
    process.env.BAIZE_BASE_URL = `${service.url}/`
    expect((await new Baize().getAccount()).available_credits).toBe(7)
  })

  test('a client without a key cannot be created', () => {
    delete process.env.BAIZE_API_KEY
    expect(() => new Baize()).toThrow(
      new BaizeError('There is no API key. Set BAIZE_API_KEY, or pass { apiKey: "client_…" }.'),
    )
  })

  test.each(['baize.test', 'ftp://baize.test', 'localhost:8080'])(
    'the client refuses "%s" as a base URL',
    baseUrl => {
      expect(() => new Baize({ apiKey: 'client_x', baseUrl })).toThrow(/"baseUrl" is .*; it must be a URL/)
    },
  )

  test('a printed client does not show its key', () => {
    expect(inspect(new Baize({ apiKey: 'client_secret' }), { depth: 9, showHidden: true })).not.toContain(
      'secret',
    )
  })

  test('the client does not send its key to another host after a redirect', async () => {
    const asked: string[] = []
    const fetch = async (url: string | URL | Request, init?: RequestInit) => {
      asked.push(`${url} ${init?.redirect}`)
      return new Response('', { status: 308, headers: { location: 'https://elsewhere.example/v1/account' } })
    }
    const baize = new Baize({ apiKey: 'client_x', baseUrl: 'http://baize.test', fetch })
    const error = await errorOf(baize.getAccount())
    expect(error.reason).toBe(
      'The service redirects to https://elsewhere.example/v1/account. Set "baseUrl" to its new address.',
    )
    expect(asked).toEqual(['http://baize.test/v1/account manual'])
  })
})

test.each(['..', '.', '', undefined])(
  'the path parameter %j does not lead to another operation',
  async company_ref => {
    const baize = await clientWith()
    const error = await baize.listPeople({ company_ref: company_ref as string }).catch(caught => caught)
    expect(error).toBeInstanceOf(BaizeError)
    expect(String(error)).toMatch(/"company_ref" must be the value of a path/)
  },
)

test('a slash in a path parameter is part of the value', async () => {
  const asked: string[] = []
  const fetch = async (url: string | URL | Request) => {
    asked.push(String(url))
    return new Response('{"success":true,"data":{}}')
  }
  const reply: Reply<unknown> = await new Baize({ apiKey: 'client_x', fetch })
    .getProspectList({ prospect_list_ref: 'a/../b?c' })
    .withResponse()
  expect(reply.attempts).toBe(1)
  expect(asked).toEqual(['http://localhost:8080/v1/prospect-lists/a%2F..%2Fb%3Fc'])
})
