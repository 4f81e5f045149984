import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../test/harness/eventually.ts'
import { type Ask, type Customer, startService, type TestService } from '../../test/harness/service.ts'
import { randomBase62 } from '../core/ref.ts'
import { requestParams } from './usage.ts'

const resolve = '/v1/domains/resolve'
const one = `${resolve}?domain=casino.example`

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

type UsageRow = Record<string, unknown> & { request_params: Record<string, unknown> }

function recordsOf(requestId: string): Promise<UsageRow[]> {
  const { database } = service.service.live
  return database
    .selectFrom('usage_records')
    .selectAll()
    .where('request_id', '=', requestId)
    .execute() as Promise<UsageRow[]>
}

/** Sends a request with a unique request id, and returns its one usage record. */
async function usageOf(customer: Customer, path: string, { headers, ...asked }: Ask = {}): Promise<UsageRow> {
  const id = randomBase62(20)
  await customer.ask(path, { ...asked, headers: { 'x-request-id': id, ...headers } })
  await service.service.usage.flush()
  const records = await recordsOf(id)
  expect(records).toHaveLength(1)
  return records[0] as UsageRow
}

describe('a usage record', () => {
  test('a usage record of a charge is stored with it, with the status settled and its credits', async () => {
    const customer = await service.customer()
    const id = randomBase62(20)
    const before = Date.now()
    await customer.ask(`${one}&include[]=geo&max_credits=4`, { headers: { 'x-request-id': id } })
    const [record, ...others] = await recordsOf(id)
    expect(others).toEqual([])
    expect(record).toMatchObject({
      endpoint: 'resolve_domain',
      status: 200,
      credits: 1,
      settlement_status: 'settled',
      source: 'api',
      request_params: { domain: 'casino.example', 'include[]': ['geo'], max_credits: 4 },
    })
    expect(record?.duration_ms).toBeGreaterThanOrEqual(0)
    const requestedAt = Number(record?.requested_at)
    expect(requestedAt).toBeGreaterThanOrEqual(before)
    expect(requestedAt).toBeLessThanOrEqual(Date.now())
  })

  test('a usage record of a free operation is written after its answer, with the status none', async () => {
    const customer = await service.customer()
    const id = randomBase62(20)
    await customer.ask('/v1/account', { headers: { 'x-request-id': id } })
    const [record] = (await eventually('its usage record', async () => {
      const records = await recordsOf(id)
      return records.length > 0 && records
    })) as UsageRow[]
    expect(record).toMatchObject({
      endpoint: 'show_account',
      status: 200,
      credits: 0,
      settlement_status: 'none',
    })
  })

  test('a usage record of a replay has the status replayed and no credits', async () => {
    const customer = await service.customer()
    const headers = { 'idempotency-key': 'again' }
    expect(await usageOf(customer, one, { headers })).toMatchObject({
      settlement_status: 'settled',
      credits: 1,
    })
    expect(await usageOf(customer, one, { headers })).toMatchObject({
      settlement_status: 'replayed',
      credits: 0,
      status: 200,
    })
  })

  test('of simultaneous requests with one key, one usage record is settled, the rest replayed', async () => {
    const customer = await service.customer()
    const asked = Array.from({ length: 20 }, () =>
      usageOf(customer, one, { headers: { 'idempotency-key': 'rush' } }),
    )
    const found = (await Promise.all(asked)).map(record => record.settlement_status).sort()
    expect(found).toEqual([...Array.from({ length: 19 }, () => 'replayed'), 'settled'])
  })

  test.each([
    ['a ceiling', 402, `${one}&max_credits=0`, {}],
    ['a key of another request', 409, `${resolve}?domain=other.example`, { 'idempotency-key': 'taken' }],
    ['an empty balance', 429, one, {}],
  ])(
    'a usage record of a request refused for %s has the status refused and its HTTP status',
    async (_, status, path, headers) => {
      const customer = await service.customer({ credits: 1 })
      await customer.ask(one, { headers: { 'idempotency-key': 'taken' } })
      const record = await usageOf(customer, path, { headers })
      expect(record).toMatchObject({
        endpoint: 'resolve_domain',
        status,
        credits: 0,
        settlement_status: 'refused',
      })
    },
  )

  test('a usage record of an invalid request has the status none and its HTTP status', async () => {
    const customer = await service.customer()
    const record = await usageOf(customer, `${resolve}?domain=10.0.0.1`)
    expect(record).toMatchObject({
      status: 400,
      credits: 0,
      settlement_status: 'none',
      request_params: { domain: '10.0.0.1' },
    })
  })

  test('no usage record is written for a request without an account', async () => {
    const id = randomBase62(20)
    const headers = { 'x-request-id': id }
    await service.ask('/v1/account', { headers })
    await service.ask('/v1/account', { headers, key: 'client_nobody' })
    await service.service.usage.flush()
    expect(await recordsOf(id)).toEqual([])
  })

  test('a usage record has the client software from headers, cut to 200 characters each', async () => {
    const customer = await service.customer()
    const headers = {
      'x-client-version': '1.4.0',
      'x-mcp-tool-name': 'resolve_domain',
      'x-connector-session-id': 's-1',
      'x-mcp-client-name': 'desk',
      'x-mcp-client-version': 'v'.repeat(500),
    }
    for (const path of [one, '/v1/account']) {
      expect(await usageOf(customer, path, { headers })).toMatchObject({
        client_version: '1.4.0',
        mcp_tool_name: 'resolve_domain',
        connector_session_id: 's-1',
        mcp_client_name: 'desk',
        mcp_client_version: 'v'.repeat(200),
        source: 'mcp',
      })
      expect(await usageOf(customer, path)).toMatchObject({ client_version: null, mcp_client_name: null })
    }
  })

  test.each([
    ['x-mcp-tool-name', 'mcp'],
    ['x-mcp-client-name', 'mcp'],
    ['x-mcp-client-version', 'mcp'],
    ['x-connector-session-id', 'api'],
    ['x-client-version', 'api'],
  ])('a request that has only the header %s has the source %s, charged or not', async (header, source) => {
    const customer = await service.customer()
    for (const path of [one, '/v1/account', `${resolve}?domain=10.0.0.1`])
      expect(await usageOf(customer, path, { headers: { [header]: 'x' } })).toMatchObject({ source })
  })

  test('a usage record is written whatever the parameters contain', async () => {
    const customer = await service.customer()
    const path = `${resolve}?domain=%ED%A0%80&%ED%B0%80=%ED%A0%80%00`
    expect(await usageOf(customer, path)).toMatchObject({ status: 400 })
  })
})

describe('request_params (§2.15)', () => {
  test.each([
    ['a key of ours', 'client_0123456789abcdef'],
    ['a bearer token', 'Bearer abc.def'],
    ['the user’s part of a URL', 'https://someone:hunter2@casino.example/'],
    ['the user’s part of a host', 'someone:hunter2@casino.example'],
    ['a token in a URL', 'https://casino.example/?lang=en&access_token=hunter2'],
    ['a token in the user’s part of a URL', 'https://ghp_hunter2@casino.example/'],
    ['a token behind the # of a URL', 'https://casino.example/#access_token=hunter2'],
    ['a signature of a URL', 'https://casino.example/logo.png?se=2026&sig=hunter2'],
    ['a credential of a URL', 'https://casino.example/?X-Amz-Credential=hunter2'],
    ['a password in a URL', 'https://casino.example/?user=otter&pwd=hunter2'],
    ['a session in a URL', 'https://casino.example/?PHPSESSION_ID=hunter2'],
    ['the address of a mailbox', 'ottilie.weirstone@casino.example'],
    ['an API key in a URL', 'https://casino.example/?apikey=hunter2'],
  ])('request_params does not store %s', async (_, domain) => {
    const customer = await service.customer()
    const record = await usageOf(customer, `${resolve}?domain=${encodeURIComponent(domain)}`)
    expect(record.request_params).toEqual({ domain: '[filtered]' })
  })

  test('request_params is stored whole up to 8,192 bytes, and as {"_truncated": true} above', async () => {
    const customer = await service.customer()
    // A control character has three characters in a URL, and six bytes in JSON.
    const ofBytes = (bytes: number) =>
      `${resolve}?domain=${'%01'.repeat(1_363)}${'x'.repeat(bytes - 13 - 1_363 * 6)}`
    const whole = await usageOf(customer, ofBytes(8_192))
    expect(Buffer.byteLength(JSON.stringify(whole.request_params))).toBe(8_192)
    const cut = await usageOf(customer, ofBytes(8_193))
    expect(cut.request_params).toEqual({ _truncated: true })
  })

  test.each([
    [
      { api_key: 'x', q: 'casino' },
      { api_key: '[filtered]', q: 'casino' },
    ],
    [
      { filters: { Authorization: 'x', geo: 'ukgc' } },
      { filters: { Authorization: '[filtered]', geo: 'ukgc' } },
    ],
    [{ 'list[]': ['client_0123456789', 'casino.example'] }, { 'list[]': ['[filtered]', 'casino.example'] }],
    [
      { accessToken: 7, secret: null, signature: true },
      { accessToken: '[filtered]', secret: null, signature: '[filtered]' },
    ],
    [{ filters: { client_0123456789: 'x' } }, { filters: { '[filtered]': 'x' } }],
    [{ q: 'from ottilie@casino.example' }, { q: '[filtered]' }],
    [{ domain: 'https://casino.example/key?lang=en' }, { domain: 'https://casino.example/key?lang=en' }],
    [
      { domain: 'https://casino.example/?author=otter&design=1' },
      { domain: 'https://casino.example/?author=otter&design=1' },
    ],
    [
      { q: 'm@trix casino', authorized: true },
      { q: 'm@trix casino', authorized: true },
    ],
  ])('request_params replaces secrets by name and pattern at any depth: %j', (input, kept) => {
    expect(JSON.parse(requestParams(input))).toEqual(kept)
  })
})
