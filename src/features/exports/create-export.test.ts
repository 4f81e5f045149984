import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { declaredData } from '../../../test/harness/declared-schema.ts'
import type { Customer } from '../../../test/harness/service.ts'
import { recentUsage } from '../account/index.ts'
import { failExport } from './attempt.ts'
import { type ExportService, startExportService } from './fixture.ts'
import { verifyExports } from './verify-exports-store.ts'

let service: ExportService
let customer: Customer

beforeAll(async () => {
  service = await startExportService()
})
beforeEach(async () => {
  customer = await service.customer({ plan: 'starter', credits: 100_000 })
})
afterEach(() => service.expectTrueBooks())
afterAll(() => service.close())

const database = () => service.service.live.database
const account = async (who: Customer) => (await who.ask('/v1/account')).body.data
const code = (response: { body: { errors: { code: string } } }) => response.body.errors.code
const exportsOf = async (who: Customer): Promise<number> => {
  const { rows } = await sql<{ exports: number }>`
    select count(*) as exports
      from exports
      join accounts account on account.id = account_id
     where account_ref = ${who.accountRef}`.execute(database())
  return rows[0]?.exports ?? 0
}

describe('asking for an export', () => {
  test('queues it, tells where to poll, and charges nothing yet', async () => {
    const queued = await service.post(customer, {})
    expect(queued.status).toBe(202)
    expect(queued.body).toMatchObject({ success: true, message: 'Export queued' })
    const { export_id: id, poll_url: pollUrl, quoted_credits: quoted, ...rest } = queued.body.data
    expect(Number.isInteger(id)).toBe(true)
    expect(pollUrl).toBe(`/v1/exports/${id}`)
    expect(quoted).toBeGreaterThan(100)
    expect(rest).toEqual({ credits_charged: 0 })
    expect(queued.headers.get('x-credits-charged')).toBe('0')
    expect(declaredData('create_export')(queued.body.data)).toBeNull()
    expect(await account(customer)).toMatchObject({ credits_used: 0, credits_reserved: 0 })
    await service.write()
    expect((await customer.ask(pollUrl)).body.data).toMatchObject({ credits_used: quoted })
  })

  test('takes no body as the body {}', async () => {
    const queued = await customer.ask('/v1/exports', { method: 'POST' })
    expect(queued.status).toBe(202)
    await service.write()
  })

  test.each([
    ['export_format', { export_format: 'xml' }],
    ['export_format', { export_format: null }],
    ['fields', { fields: 'licenses' }],
    ['fields[].0', { 'fields[]': [1] }],
    ['filters', { filters: [] }],
    ['filters.jurisdiction', { filters: { jurisdiction: 7 } }],
    ['filters.jurisdiction', { filters: { jurisdiction: 'Great Britain' } }],
    ['filters.jurisdiction', { filters: { jurisdiction: 'atlantis' } }],
    ['filters.payment_category', { filters: { payment_category: 'gold' } }],
    ['filters.supplier_brand', { filters: { supplier_brand: '' } }],
    ['filters.supplier_brand', { filters: { supplier_brand: '  ' } }],
    ['filters.exclude_provider', { filters: { exclude_provider: ['a'] } }],
    ['filters.exclude_payment', { filters: { exclude_payment: true } }],
    ['filters.has_affiliate', { filters: { has_affiliate: 'yes' } }],
    ['filters.geo_hint', { filters: { geo_hint: {} } }],
    ['filters.enriched_after', { filters: { enriched_after: 'yesterday' } }],
    ['filters.enriched_after', { filters: { enriched_after: '2026-02-30' } }],
    ['filters.enriched_after', { filters: { enriched_after: '2026-01-01T00:00:00' } }],
    ['filters.enriched_after', { filters: { enriched_after: '1899-12-31' } }],
    ['filters.enriched_after', { filters: { enriched_after: '2026-13-01T00:00:00Z' } }],
    ['filters.enriched_after', { filters: { enriched_after: '0001-01-01T00:00:00Z' } }],
    ['filters.domain_after', { filters: { domain_after: 1 } }],
    ['filters.domain_after', { filters: { domain_after: '  ' } }],
    ['filters.domain_after', { filters: { domain_after: 'bigsite' } }],
    ['filters.domain_after', { filters: { domain_after: '192.0.2.7' } }],
    ['max_credits', { max_credits: -1 }],
    ['max_credits', { max_credits: '10' }],
  ])('422: %s of a wrong type or value, told by name', async (parameter, body) => {
    const refused = await service.post(customer, body)
    expect(refused.status).toBe(422)
    expect(refused.body.errors).toMatchObject({ code: 'unprocessable_body', details: { parameter } })
    expect(await exportsOf(customer)).toBe(0)
  })

  test.each([
    ['filters.jurisdiction', { filters: { jurisdiction: 'sweeden' } }, 'sweden'],
    ['filters.jurisdiction', { filters: { jurisdiction: 'UKGC' } }, 'ukgc'],
    ['filters.jurisdiction', { filters: { jurisdiction: 'atlantis' } }, null],
    ['filters.payment_category', { filters: { payment_category: 'cards' } }, 'card'],
    ['export_format', { export_format: 'CSV' }, 'csv'],
  ])(
    '422: a word that is not in the list of %s, with the list and what was probably meant: %j',
    async (parameter, body, meant) => {
      const { status, body: refused } = await service.post(customer, body)
      expect(status).toBe(422)
      expect(refused.errors.details).toEqual({
        parameter,
        takes: expect.stringMatching(/^one of \w+, /),
        did_you_mean: meant,
      })
      expect(refused.message.endsWith(meant === null ? '.' : `; did you mean "${meant}"?`)).toBe(true)
    },
  )

  test('400: a member that it does not know; a key of the filters that it does not know is ignored', async () => {
    const refused = await service.post(customer, { max_credit: 10 })
    expect(refused.status).toBe(400)
    expect(refused.body.errors).toMatchObject({
      code: 'unknown_parameter',
      details: { parameter: 'max_credit', did_you_mean: 'max_credits' },
    })
    expect((await service.post(customer, { filters: { colour: 'red', page: 3 } })).status).toBe(202)
    await service.write()
  })

  test('400: a section that is not in the catalogue, for JSON; for CSV sections are ignored', async () => {
    for (const body of [{ fields: ['licenses', 'moods'] }, { 'fields[]': ['moods'] }]) {
      const refused = await service.post(customer, { export_format: 'json', ...body })
      expect([refused.status, code(refused)]).toEqual([400, 'unknown_include'])
      expect((await service.post(customer, body)).status).toBe(202)
    }
    await service.write()
  })

  test('400: a body that is not JSON; 415: one that does not say that it is', async () => {
    expect(code(await service.post(customer, '{"filters":'))).toBe('invalid_json')
    const refused = await service.post(customer, '{}', {
      'content-type': 'application/x-www-form-urlencoded',
    })
    expect([refused.status, code(refused)]).toEqual([415, 'unsupported_media_type'])
  })

  test('401: without a key', async () => {
    const refused = await service.ask('/v1/exports', { method: 'POST' })
    expect(refused.status).toBe(401)
    expect(refused.body.errors).toEqual({})
  })

  test('402: a plan without exports', async () => {
    const free = await service.customer({ plan: 'free' })
    const refused = await service.post(free, {})
    expect(refused.status).toBe(402)
    expect(refused.body.errors).toEqual({
      code: 'plan_upgrade_required',
      details: { feature: 'exports', current_plan: 'free', required_plan: 'starter' },
    })
  })

  test('402: a quote above max_credits, which leaves nothing behind', async () => {
    const { quoted_credits: quote } = (await service.post(customer, {})).body.data
    const refused = await service.post(customer, { max_credits: quote - 1 })
    expect(refused.status).toBe(402)
    expect(refused.body.errors).toEqual({
      code: 'max_credits_exceeded',
      details: { quoted_credits: quote, max_credits: quote - 1 },
    })
    expect((await service.post(customer, { max_credits: quote })).status).toBe(202)
    expect(await exportsOf(customer)).toBe(2)
    await service.write()
  })

  test('the quote counts what a launch profile may cost, and the file is charged for what it delivers', async () => {
    const { quoted_credits: plain } = (await service.post(customer, { export_format: 'json' })).body.data
    const fields = ['operator_launch_profile']
    const { quoted_credits: withProfile } = (await service.post(customer, { export_format: 'json', fields }))
      .body.data
    expect(withProfile).toBe(plain * 6)
    expect((await service.post(customer, { fields })).body.data.quoted_credits).toBe(plain)
    await service.write()
    // No site of the demo world has a profile yet.
    expect(await account(customer)).toMatchObject({ credits_used: 3 * plain, credits_reserved: 0 })
  })

  test.each(['supplier_brand', 'exclude_provider'])(
    'before anything is paid nothing tells which sites have a supplier: %s',
    async filter => {
      const refusedWith = async (filters: object) => {
        const { status, body } = await service.post(customer, { max_credits: 0, filters })
        return { status, errors: body.errors }
      }
      const all = await refusedWith({})
      expect(all.status).toBe(402)
      for (const supplier of ['Brass Turnip', 'Paper Walrus', 'nobody of that name'])
        expect(await refusedWith({ [filter]: supplier })).toEqual(all)
      const behind = { domain_after: 'luckyotter.example' }
      expect(await refusedWith({ ...behind, [filter]: 'Brass Turnip' })).toEqual(await refusedWith(behind))
      const poor = await service.customer({ plan: 'starter', credits: 0 })
      const answers = await Promise.all(
        ['Brass Turnip', 'nobody of that name'].map(name =>
          service.post(poor, { filters: { [filter]: name } }),
        ),
      )
      expect(answers.map(({ status }) => status)).toEqual([429, 429])
    },
  )

  test('429: no credit at all, unless nothing matches and nothing is to be paid', async () => {
    const poor = await service.customer({ plan: 'starter', credits: 0 })
    const refused = await service.post(poor, {})
    expect(refused.status).toBe(429)
    expect(refused.body.errors).toEqual({
      code: 'quota_exceeded',
      details: { granted: 0, used: 0, reserved: 0 },
    })
    expect(refused.headers.get('x-should-retry')).toBe('false')
    const empty = await service.exported(poor, { filters: { geo_hint: 'atlantis' } })
    expect(empty).toMatchObject({ total_rows: 0, expected_rows: 0, credits_used: 0, truncated_by: null })
  })
})

describe('an Idempotency-Key', () => {
  test('makes one export of any number of simultaneous requests, and each has the same answer', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        service.post(customer, { export_format: 'json' }, { 'idempotency-key': 'k' }),
      ),
    )
    expect(new Set(answers.map(answer => answer.status))).toEqual(new Set([202]))
    expect(new Set(answers.map(answer => answer.text)).size).toBe(1)
    expect(answers.filter(answer => answer.headers.get('idempotency-replayed') === 'true')).toHaveLength(19)
    expect(await exportsOf(customer)).toBe(1)
    expect(await service.write()).toHaveLength(1)
  })

  test('is free again when the export is complete, and when nothing is left', async () => {
    const [first] = [await service.post(customer, {}, { 'idempotency-key': 'k' })]
    await service.write()
    const again = await service.post(
      customer,
      { filters: { colour: 'red' }, fields: [] },
      { 'idempotency-key': 'k' },
    )
    expect(again.text).toBe(first.text)
    expect(await exportsOf(customer)).toBe(1)
  })

  test('goes on answering the export that failed; a fresh one asks for it anew', async () => {
    const first = await service.post(customer, {}, { 'idempotency-key': 'k' })
    await failExport(database(), first.body.data.export_id, 'the disk is full')
    const again = await service.post(customer, {}, { 'idempotency-key': 'k' })
    expect(again.text).toBe(first.text)
    const anew = await service.post(customer, {}, { 'idempotency-key': 'l' })
    await service.write()
    expect(code(await customer.ask(again.body.data.poll_url))).toBe('export_failed')
    expect((await customer.ask(anew.body.data.poll_url)).status).toBe(200)
  })

  test('409: used with another body', async () => {
    await service.post(customer, {}, { 'idempotency-key': 'k' })
    const reused = await service.post(customer, { export_format: 'json' }, { 'idempotency-key': 'k' })
    expect([reused.status, code(reused)]).toEqual([409, 'idempotency_key_reused'])
    expect(await exportsOf(customer)).toBe(1)
    await service.write()
  })
})

describe('credits', () => {
  test('that do not cover all rows buy as many as they do, and the record tells', async () => {
    const poor = await service.customer({ plan: 'starter', credits: 7 })
    const record = await service.exported(poor)
    expect(record).toMatchObject({ total_rows: 7, credits_used: 7, truncated_by: 'credits' })
    expect(record.expected_rows).toBeGreaterThan(100)
    expect(parse((await service.download(poor, record.id)).text)).toHaveLength(8)
    expect(await account(poor)).toMatchObject({ available_credits: 0, credits_used: 7, credits_reserved: 0 })
  })

  test('that are gone when the export is written buy none: the file is empty, and nothing is charged', async () => {
    const poor = await service.customer({ plan: 'starter', credits: 1 })
    const { export_id: id } = (await service.post(poor, {})).body.data
    await poor.ask('/v1/domains/resolve?domain=luckyotter.example')
    await service.write()
    const record = (await poor.ask(`/v1/exports/${id}`)).body.data
    expect(record).toMatchObject({ total_rows: 0, bytes: 0, credits_used: 0, truncated_by: 'credits' })
    expect(record.expected_rows).toBeGreaterThan(0)
  })

  test('that an export does not say as it was charged are found by verify', async () => {
    const { id, credits_used: used } = await service.exported(customer)
    const say = (credits: number) =>
      sql`update exports set credits_used = ${credits} where id = ${id}`.execute(database())
    await say(used - 1)
    expect(await verifyExports(database())).toEqual([
      {
        export: id,
        credits_used: used - 1,
        settled: used,
        problem: 'an export and its settlement differ',
      },
    ])
    await say(used)
  })

  test('have no bound on the plan internal', async () => {
    const internal = await service.customer({ plan: 'internal' })
    const record = await service.exported(internal)
    expect(record).toMatchObject({ truncated_by: null, credits_used: record.total_rows })
  })

  test('appear in the ledger under the request that asked, and in a usage record of their own, which names the export', async () => {
    const queued = await service.post(
      customer,
      {},
      {
        'x-request-id': 'export-request-1',
        'x-client-version': '4.2.0',
        'x-mcp-tool-name': 'export_domains',
      },
    )
    await service.write()
    const { id, credits_used: credits } = (await customer.ask(queued.body.data.poll_url)).body.data
    const { rows: lines } = await sql`
      select price_key, units, credits, note from ledger_entries where request_id = 'export-request-1'`.execute(
      database(),
    )
    expect(lines).toEqual([{ price_key: 'export.row', units: credits, credits, note: `export ${id}` }])
    const records = await recentUsage(service.service.live, customer.accountRef, new Date())
    const [written, asked] = records.filter(({ endpoint }) => endpoint === 'create_export')
    expect([asked, written]).toMatchObject([
      { endpoint: 'create_export', status: 202, credits: 0, settlement_status: 'settled' },
      { endpoint: 'create_export', status: 200, credits, source: 'job', settlement_status: 'settled' },
    ])
    expect(written?.request_params).toEqual({ export_id: id })
    const client = { client_version: '4.2.0', mcp_tool_name: 'export_domains', mcp_client_name: null }
    expect([asked, written]).toMatchObject([client, client])
    expect(id).toBe(queued.body.data.export_id)
  })
})
