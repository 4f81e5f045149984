import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withClient } from '../../../test/harness/client.ts'
import {
  type Customer,
  type Response,
  startService,
  type TestService,
} from '../../../test/harness/service.ts'
import { msLater } from '../../../test/harness/time.ts'
import { createLogger } from '../../config/logger.ts'
import { newApiKey } from '../../core/api-key.ts'
import { createKey, listAccountKeys, revokeKey } from '../../features/account/index.ts'
import { openService } from '../open-service.ts'
import { buildServer } from '../server.ts'

const account = '/v1/account'
const day = 86_400_000

let service: TestService
let customer: Customer
beforeAll(async () => {
  service = await startService()
  customer = await service.customer()
})
afterAll(() => service.close())

const asked = (headers: Record<string, string>) => service.ask(account, { headers })
const bearer = (key: string, scheme = 'Bearer') => asked({ authorization: `${scheme} ${key}` })

describe('accepted keys', () => {
  test('a key in X-API-Key or in Authorization: Bearer authenticates the same account', async () => {
    const [first, second] = await Promise.all([asked({ 'x-api-key': customer.key }), bearer(customer.key)])
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.body.data).toEqual(first.body.data)
  })

  test.each(['Bearer', 'bearer', 'BEARER'])(
    'a key is accepted with the scheme %s, in any case of its letters',
    async scheme => {
      expect((await bearer(customer.key, scheme)).status).toBe(200)
    },
  )

  test('a key is accepted with blanks around it', async () => {
    expect((await asked({ 'x-api-key': `  ${customer.key} ` })).status).toBe(200)
    expect((await asked({ authorization: `Bearer    ${customer.key}` })).status).toBe(200)
  })

  test('if a request has two keys, the key in X-API-Key is used (§5 rule 3)', async () => {
    const rich = await service.customer({ credits: 77 })
    const right = await asked({ 'x-api-key': rich.key, authorization: `Bearer ${customer.key}` })
    expect(right.body.data.credits_granted).toBe(77)
    const wrong = await asked({ 'x-api-key': newApiKey(), authorization: `Bearer ${customer.key}` })
    expect(wrong.status).toBe(401)
  })

  test('any key of an account is accepted, so that keys can be rotated', async () => {
    const { accountRef, key } = await service.customer()
    const { api_key: next, key_ref } = await createKey(service.service.live, accountRef, { name: 'next' })
    for (const each of [key, next]) expect((await asked({ 'x-api-key': each })).status).toBe(200)
    await revokeKey(service.service.live, key_ref)
    expect((await asked({ 'x-api-key': key })).status).toBe(200)
  })
})

describe('refused keys', () => {
  const withoutTimestamp = ({ text }: Response) => text.replace(/"timestamp":"[^"]+"/, '')

  test('a missing, unknown, mistyped, expired or revoked key is refused in the same words', async () => {
    const { live } = service.service
    const { accountRef, key } = await service.customer()
    const expired = await createKey(live, accountRef, { expiresAt: new Date(Date.now() - day) })
    const revoked = await createKey(live, accountRef)
    await revokeKey(live, revoked.key_ref)
    const mistyped = key.replace(/.$/, last => (last === 'a' ? 'b' : 'a'))
    const refused = await Promise.all([
      service.ask(account),
      ...[newApiKey(), mistyped, expired.api_key, revoked.api_key, 'client_', '', 'x'.repeat(5_000)].map(
        each => asked({ 'x-api-key': each }),
      ),
      bearer(key, 'Basic'),
      asked({ authorization: key }),
      asked({ authorization: `Bearer ${key} and more` }),
      service.ask(`${account}?api_key=${key}`),
    ])
    expect(refused.map(each => each.status)).toEqual(refused.map(() => 401))
    expect(new Set(refused.map(withoutTimestamp)).size).toBe(1)
    const names = refused.map(({ headers }) => [...headers.keys()].filter(name => name !== 'date').join())
    expect(new Set(names).size).toBe(1)
  })

  test('a refused key gets the envelope of §5 rule 4, with a link to the page about keys', async () => {
    const { body, headers } = await service.ask(account)
    expect(body).toEqual({
      success: false,
      message: 'Unauthorized',
      errors: {},
      doc_url: 'http://baize.test/docs/keys',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    })
    expect(headers.get('www-authenticate')).toBe('Bearer')
  })

  test('a key is refused before any error about the parameters', async () => {
    const { status } = await service.ask('/v1/domains/resolve?domain=10.0.0.1&nonsense=1')
    expect(status).toBe(401)
  })

  test('a key is refused from its expiry time on', async () => {
    let now = new Date('2026-05-01T00:00:00Z')
    const clock = await startService({ now: () => now })
    try {
      const { accountRef } = await clock.customer()
      const expiresAt = new Date('2026-05-01T00:00:01Z')
      const { api_key: key } = await createKey(clock.service.live, accountRef, { expiresAt })
      expect((await clock.ask(account, { key })).status).toBe(200)
      now = expiresAt
      expect((await clock.ask(account, { key })).status).toBe(401)
    } finally {
      await clock.close()
    }
  })

  test('a revoked key is refused within 5 seconds, also by another process', async () => {
    const { live, settings, files, log } = service.service
    const other = openService({ connection: service.database.connection, settings, files, log })
    const server = await buildServer(other)
    try {
      const url = await server.listen({ host: '127.0.0.1', port: 0 })
      const { accountRef, key } = await service.customer()
      const askOther = () =>
        fetch(`${url}${account}`, { headers: { 'x-api-key': key } }).then(each => each.status)
      const askBoth = () => Promise.all([service.ask(account, { key }).then(each => each.status), askOther()])
      expect(await askBoth()).toEqual([200, 200])
      const [{ key_ref } = { key_ref: '' }] = await listAccountKeys(live, accountRef)
      await revokeKey(live, key_ref)
      expect(await msLater(5_000, askBoth)).toEqual([401, 401])
    } finally {
      await server.close()
      await other.close()
    }
  })
})

describe('the storage of keys', () => {
  test('no column of the database contains a key in clear', async () => {
    const { key, ask } = await service.customer()
    await ask('/v1/domains/resolve?domain=casino.example', {
      headers: { 'idempotency-key': 'a-key-of-its-own' },
    })
    await ask(`/v1/domains/resolve?domain=${key}`)
    await ask(`/v1/domains/resolve?domain=https://casino.example/?k=${key}`)
    await service.service.usage.flush()
    await service.service.keys.flush()
    const found = await withClient(service.database.connection, async client => {
      const { rows: tables } = await client.query<{ name: string }>(
        `select format('%I.%I', table_schema, table_name) as name
           from information_schema.tables
          where table_schema in ('public', 'demo') and table_type = 'BASE TABLE'`,
      )
      const places: string[] = []
      for (const { name } of tables) {
        const { rows } = await client.query(
          `select from ${name} as whole where strpos(whole::text, $1) > 0 limit 1`,
          [key],
        )
        if (rows.length > 0) places.push(name)
      }
      expect(tables.length).toBeGreaterThan(20)
      return places
    })
    expect(found).toEqual([])
  })

  test('the log never contains a key, at any level and after any error', async () => {
    const lines: string[] = []
    const log = createLogger('trace')
    Object.assign(log, { [pino.symbols.streamSym]: { write: (line: string) => lines.push(line) } })
    const noisy = await startService({ log })
    try {
      const { key, ask } = await noisy.customer()
      const rename = (from: string, to: string) =>
        withClient(noisy.database.connection, client => client.query(`alter table ${from} rename to ${to}`))
      await ask(`/v1/domains/resolve?domain=${key}.example`)
      await noisy.ask(`/v1/domains/resolve/${key}?token=${key}`, {
        headers: { authorization: `Bearer ${key}` },
      })
      await rename('domains', 'domains_gone')
      const failed = await ask(`/v1/domains/resolve?domain=${key.replace('_', '-').toLowerCase()}.example`)
      await rename('domains_gone', 'domains')
      await rename('api_keys', 'api_keys_gone')
      const unread = await noisy.ask(account, { key: newApiKey() })
      await rename('api_keys_gone', 'api_keys')
      log.error(
        { err: new Error(`no such key: ${key}`, { cause: new Error(key) }), api_key: key },
        'a mistake',
      )
      expect([failed.status, unread.status]).toEqual([500, 500])
      expect(lines.filter(line => line.includes('request failed'))).toHaveLength(2)
      expect(lines.filter(line => line.includes(key.slice('client_'.length)))).toEqual([])
    } finally {
      await noisy.close()
    }
  })
})
