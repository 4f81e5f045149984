import { execFile } from 'node:child_process'
import { parseArgs, promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Response, startService, type TestService } from '../../../test/harness/service.ts'
import { catalogue } from '../../catalogue.ts'
import { demoKey } from '../../core/api-key.ts'
import { loadDemo } from '../../instance/load-demo.ts'
import { templatePath } from './demo-templates.ts'

const resolve = '/v1/domains/resolve'
const otter = `${resolve}?domain=luckyotter.example`

/** This world has only the demo's data, so customers see empty answers here. */
let service: TestService
beforeAll(async () => {
  service = await startService({ world: 'demo_key' })
})
afterAll(() => service.close())

const demo = (path: string, headers: Record<string, string> = {}) =>
  service.ask(path, { key: demoKey, headers })

/** Sends the request that a shell would make of a curl command. */
async function run(command: string): Promise<Response> {
  const words = await promisify(execFile)('sh', ['-c', `curl() { printf '%s\\n' "$@"; }; ${command}`])
  const { values, positionals } = parseArgs({
    args: words.stdout.trimEnd().split('\n'),
    allowPositionals: true,
    options: {
      globoff: { type: 'boolean', short: 'g' },
      request: { type: 'string', short: 'X' },
      header: { type: 'string', short: 'H', multiple: true },
      data: { type: 'string', short: 'd' },
    },
  })
  const headers = Object.fromEntries((values.header ?? []).map(each => each.split(': ') as [string, string]))
  return service.ask((positionals[0] as string).replace('http://baize.test', ''), {
    headers,
    method: values.request ?? 'GET',
    ...(values.data === undefined ? {} : { body: values.data }),
  })
}

describe('following a demo template through its pages', () => {
  const rowsOf = (data: Record<string, unknown>) =>
    ['domains', 'hits', 'signals', 'changes', 'contacts', 'members', 'lobby_runs'].flatMap(
      name => (data[name] as object[] | undefined) ?? [],
    )
  const paged = catalogue
    .filter(({ query }) => 'after' in query.properties)
    .flatMap(({ name, path, query, demo: templates }) =>
      templates.map(template => ({
        name,
        title: template.title,
        path: templatePath(path, {
          ...template,
          query: { ...template.query, ...('page_size' in query.properties ? { page_size: '1' } : {}) },
        }),
      })),
    )

  test.each(paged)('the demo key reads all pages of $name ($title), each row once', async ({ path }) => {
    const rows: object[] = []
    let after = ''
    for (;;) {
      const { status, text, body } = await demo(`${path}${after}`)
      expect(status, text).toBe(200)
      // A free list has no charge.
      expect(body.data).toMatchObject({ demo: true })
      expect(body.data.credits_charged ?? 0).toBe(0)
      rows.push(...rowsOf(body.data))
      const { has_more: hasMore, next_cursor: next, total } = body.data
      if (!hasMore) {
        expect(rows).toHaveLength(total ?? rows.length)
        expect(new Set(rows.map(row => JSON.stringify(row))).size).toBe(rows.length)
        return
      }
      after = `&after=${next}`
    }
  })

  test('the demo key is refused an altered cursor, and one of other filters or of live data', async () => {
    const cursorOf = async (path: string) => (await demo(path)).body.data.next_cursor as string
    const people = '/v1/companies/co_d01f236ab1748d78740a/people?limit=3'
    const poland = '/v1/domains/search?verdict=blocklisted&geo=poland&per_page=5'
    const changes = '/v1/signals/register-changes?jurisdiction=ukgc'
    const pages = [
      '/v1/domains/search?verdict=blocklisted&per_page=5',
      people,
      '/v1/companies/search?q=lucky+otter&page_size=1',
    ]
    const refusal = async (path: string, after: string) => {
      const { status, body } = await demo(`${path}&after=${encodeURIComponent(after)}`)
      return [status, body.errors?.code]
    }
    for (const path of pages) {
      const cursor = await cursorOf(path)
      expect(await refusal(path, `${cursor}A`)).toEqual([400, 'invalid_cursor'])
      expect(await refusal(changes, cursor)).toEqual([400, 'invalid_cursor'])
    }
    expect(await refusal(poland, await cursorOf(pages[0] as string))).toEqual([400, 'cursor_filter_mismatch'])
    expect(
      await refusal('/v1/domains/search?verdict=blocklisted&per_page=6', await cursorOf(pages[0] as string)),
    ).toEqual([403, 'demo_key_restricted'])
    const { demo: demoWorld, live } = service.service
    expect(await demoWorld.cursorSecret()).not.toEqual(await live.cursorSecret())
  })
})

describe('the demo key', () => {
  const templates = catalogue.flatMap(({ name, method, path, demo, prices, download, success }) =>
    demo.map(template => ({
      name,
      title: template.title,
      path: templatePath(path, template),
      sent: {
        method,
        ...(method === 'POST'
          ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(template.body ?? {}) }
          : {}),
      },
      isPriced: prices.length > 0,
      isFile: download !== undefined,
      expected: success?.status ?? 200,
    })),
  )
  const data = templates.filter(({ isFile }) => !isFile)
  const files = templates.filter(({ isFile }) => isFile)

  test.each(files)('the demo key downloads $path ($title)', async ({ path }) => {
    const { status, text, headers } = await demo(path)
    expect(status, text).toBe(200)
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename=/)
    expect(text).not.toBe('')
  })

  test.each(data)(
    'the demo key gets a free answer of $path ($title), marked as a demo',
    async ({ path, sent, isPriced, expected }) => {
      const { status, body, headers } = await service.ask(path, { key: demoKey, ...sent })
      expect(status, JSON.stringify(body)).toBe(expected)
      expect(body.data).toMatchObject({ demo: true, simulated: true, _demo_redactions: { paths: [] } })
      expect(body.data.credits_charged ?? 0).toBe(0)
      if (isPriced) expect(body.data).toHaveProperty('credits_charged')
      expect(headers.get('x-credits-charged')).toBe(isPriced ? '0' : null)
      expect(headers.get('x-credits-remaining')).toBeNull()
    },
  )

  test.each(data)('the demo key gets at least one row at $path', async ({ path, sent }) => {
    const { data } = (await service.ask(path, { key: demoKey, ...sent })).body
    if ('domains' in data) expect(data.domains.length).toBeGreaterThan(0)
  })

  test('the billing of a demo request shows what a customer would pay', async () => {
    const { data } = (await demo(otter)).body
    expect(data.billing).toMatchObject({ credits_charged: 1, returned_count: 1, billing_reason: 'simulated' })
    expect(data.credits_charged).toBe(0)
    const found = (await demo('/v1/domains/search?verdict=blocklisted&per_page=5')).body.data
    expect(found.billing).toMatchObject({ credits_charged: 5, billing_reason: 'simulated' })
    expect(found.domains).toHaveLength(5)
  })

  test('the demo key leaves no charge, ledger entry, stored answer or usage record anywhere', async () => {
    await demo(otter, { 'idempotency-key': 'of-a-stranger' })
    await service.service.usage.flush()
    for (const { database } of [service.service.live, service.service.demo]) {
      for (const table of ['settlements', 'idempotency_records', 'usage_records'] as const) {
        const { count } = await database
          .selectFrom(table)
          .where('account_id', 'in', database.selectFrom('accounts').select('id').where('name', '=', 'Demo'))
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
        // The demo's account was opened with a grant, and has no further entry.
        expect(count, table).toBe(
          table === 'settlements' && database === service.service.demo.database ? 1 : 0,
        )
      }
    }
  })

  const previews = catalogue.filter(operation => operation.path.endsWith('/preview'))
  test.each(previews.flatMap(({ path, demo }) => demo.map(template => templatePath(path, template))))(
    'the demo key can send the paid search that %s proposes',
    async path => {
      const { body } = await service.ask(path, { key: demoKey })
      const { next_action: next, total_count: total } = body.data
      if (total === 0) return expect(next).toBeNull()
      const paid = await service.ask(next.href, { key: demoKey })
      expect([paid.status, paid.body.data.total]).toEqual([200, total])
    },
  )

  test('the demo key is accepted as a bearer token as well', async () => {
    const { status, body } = await service.ask(otter, { headers: { authorization: `Bearer ${demoKey}` } })
    expect([status, body.data.demo]).toEqual([200, true])
  })

  test.each([
    'domain=https://WWW.LuckyOtter.example/casino',
    'domain=luckyotter.example&max_credits=5',
    'domain=luckyotter.example.',
  ])('the demo key may send a template in another spelling, or with max_credits: %s', async query => {
    expect((await demo(`${resolve}?${query}`)).body.data).toMatchObject({
      domain: 'luckyotter.example',
      demo: true,
    })
  })

  test('the demo key with max_credits=0 gets a 402, as a paid key does', async () => {
    const { status, body } = await demo(`${otter}&max_credits=0`)
    expect([status, body.errors.code]).toEqual([402, 'max_credits_exceeded'])
  })

  test.each([
    `${resolve}?domain=somebody-else.example`,
    `${otter}&include[]=geo`,
    `${otter}&max_age_days=1`,
    '/v1/domains/search?verdict=licensed',
    '/v1/domains/search?verdict=blocklisted&per_page=1000',
  ])('the demo key is refused with demo_key_restricted and working templates at %s', async path => {
    const { status, body, headers } = await demo(path)
    expect([status, body.success, body.errors.code]).toEqual([403, false, 'demo_key_restricted'])
    expect(headers.get('x-credits-charged')).toBeNull()
    const { templates: named, curl: commands } = body.errors.details
    expect(named.length).toBeGreaterThan(0)
    for (const url of named) expect((await demo(url.replace('http://baize.test', ''))).status, url).toBe(200)
    expect(commands).toHaveLength(named.length)
    for (const command of commands) expect((await run(command)).status, command).toBe(200)
  })

  test('the curl command in demo_key_restricted of an operation with a body works', async () => {
    const refused = await service.ask('/v1/exports', {
      key: demoKey,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"filters":{"jurisdiction":"mga"}}',
    })
    const { curl: commands } = refused.body.errors.details
    expect(commands).toEqual([
      `curl -g -X POST 'http://baize.test/v1/exports' -H 'X-API-Key: client_demo' -H 'Content-Type: application/json' -d '{}'`,
    ])
    const queued = await run(commands[0])
    expect([queued.status, queued.body.data.export_id]).toEqual([202, 1])
  })

  test('the demo key gets the error about an invalid parameter, not the list of templates', async () => {
    expect((await demo(`${otter}&max_credit=1`)).body.errors.code).toBe('unknown_parameter')
    expect((await demo(`${resolve}?domain=10.0.0.1`)).body.errors.code).toBe('invalid_domain')
  })

  test('an Idempotency-Key with the demo key is ignored, because strangers share the demo key', async () => {
    const headers = { 'idempotency-key': 'shared-by-strangers' }
    const first = await demo(otter, headers)
    const other = await demo(`${resolve}?domain=twofaced.example`, headers)
    const unfit = await demo(otter, { 'idempotency-key': 'k'.repeat(300) })
    expect([first.status, other.status, unfit.status]).toEqual([200, 200, 200])
    expect(other.body.data.domain).toBe('twofaced.example')
    for (const { headers: received } of [first, other, unfit])
      expect(received.get('idempotency-replayed')).toBeNull()
  })

  test('the demo key is not the key of any account in the customers’ data', async () => {
    const { data } = (await demo('/v1/account')).body
    const customer = await service.customer({ credits: 12_345 })
    expect(data.credits_granted).not.toBe(12_345)
    expect((await customer.ask('/v1/account')).body.data).not.toHaveProperty('demo')
  })
})

describe('the worlds of the demo and of customers', () => {
  const searched = '/v1/domains/search?verdict=blocklisted&per_page=5'

  test('no answer to a customer contains data of the demo', async () => {
    const customer = await service.customer()
    expect((await customer.ask(otter)).body.data).toMatchObject({
      verdict: 'no_record',
      checked: { registers: 0 },
    })
    for (const verdict of ['licensed', 'blocklisted', 'mixed']) {
      const { data } = (await customer.ask(`/v1/domains/search?verdict=${verdict}`)).body
      expect([data.total, data.domains]).toEqual([0, []])
    }
    expect(
      (await customer.ask('/v1/domains/search?verdict=licensed&platform=copperbeam')).body.errors.code,
    ).toBe('unknown_platform')
  })

  test('no answer to the demo key contains data of customers', async () => {
    const other = await startService({ world: 'demo' })
    try {
      const { database } = other.service.live
      await database
        .updateTable('domains')
        .set({ verdict: 'no_record', blocked_by: '[]', licensed_by: '[]' })
        .execute()
      await database.deleteFrom('domain_listings').execute()
      const ask = (path: string) => other.ask(path, { key: demoKey })
      const customer = await other.customer()
      expect((await customer.ask(otter)).body.data.verdict).toBe('no_record')
      expect((await ask(otter)).body.data.verdict).toBe('licensed')
      expect((await customer.ask(searched)).body.data.domains).toEqual([])
      expect((await ask(searched)).body.data.domains).toHaveLength(5)
    } finally {
      await other.close()
    }
  })

  test('a demo that is still being loaded answers service_unavailable with Retry-After', async () => {
    const young = await startService()
    try {
      const { status, body, headers } = await young.ask(otter, { key: demoKey })
      expect([status, body.errors.code, headers.get('retry-after')]).toEqual([
        503,
        'service_unavailable',
        '2',
      ])
      await loadDemo(young.service.demo, young.service.files)
      expect((await young.ask(otter, { key: demoKey })).status).toBe(200)
    } finally {
      await young.close()
    }
  })
})
