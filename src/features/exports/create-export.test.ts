import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { declaredData } from '../../../test/harness/declared-schema.ts'
import type { Customer } from '../../../test/harness/service.ts'
import { recentUsage } from '../account/index.ts'
import { failExport } from './attempt.ts'
import { type ExportService, startExportService } from './fixture.ts'
import { verifyExports } from './staff-exports-store.ts'

let service: ExportService
let customer: Customer

beforeAll(async () => {
  service = await startExportService()
})
beforeEach(async () => {
  customer = await service.customer({ plan: 'starter', credits: 100_000 })
})
afterEach(() => service.expectConsistentBooks())
afterAll(() => service.close())

const database = () => service.service.live.database
const account = async (of: Customer) => (await of.ask('/v1/account')).body.data
const code = (response: { body: { errors: { code: string } } }) => response.body.errors.code
const exportsOf = async (of: Customer): Promise<number> => {
  const { rows } = await sql<{ exports: number }>`
    select count(*) as exports
      from exports
      join accounts account on account.id = account_id
     where account_ref = ${of.accountRef}`.execute(database())
  return rows[0]?.exports ?? 0
}

describe('creating an export', () => {
  test('creating an export queues it and returns the poll URL, without a charge', async () => {
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

  test('400: an export request without a body queues nothing', async () => {
    const rejected = await customer.ask('/v1/exports', { method: 'POST' })
    expect([rejected.status, code(rejected)]).toEqual([400, 'missing_parameter'])
    expect(await exportsOf(customer)).toBe(0)
  })

  const unprocessable = [
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
    ['max_rows', { max_rows: 0 }],
    ['max_rows', { max_rows: 10_001 }],
    ['max_rows', { max_rows: 1.5 }],
    ['max_rows', { max_rows: '10' }],
    ['max_rows', { max_rows: null }],
    ['max_credits', { max_credits: -1 }],
    ['max_credits', { max_credits: '10' }],
  ] as const

  test('422: an export with a wrong type or value names the parameter', async () => {
    const results = await Promise.all(
      unprocessable.map(async ([, body]) => {
        const { status, body: rejected } = await service.post(customer, body)
        return [rejected.errors.details.parameter, body, status, rejected.errors.code]
      }),
    )
    expect(results).toEqual(
      unprocessable.map(([parameter, body]) => [parameter, body, 422, 'unprocessable_body']),
    )
    expect(await exportsOf(customer)).toBe(0)
  })

  test.each([
    ['filters.jurisdiction', { filters: { jurisdiction: 'sweeden' } }, 'sweden'],
    ['filters.jurisdiction', { filters: { jurisdiction: 'UKGC' } }, 'ukgc'],
    ['filters.jurisdiction', { filters: { jurisdiction: 'atlantis' } }, null],
    ['filters.payment_category', { filters: { payment_category: 'cards' } }, 'card'],
    ['export_format', { export_format: 'CSV' }, 'csv'],
  ])(
    '422: an unknown value of %s lists the accepted values and suggests the closest one: %j',
    async (parameter, body, suggestion) => {
      const { status, body: rejected } = await service.post(customer, body)
      expect(status).toBe(422)
      expect(rejected.errors.details).toEqual({
        parameter,
        takes: expect.stringMatching(/^one of \w+, /),
        did_you_mean: suggestion,
      })
      expect(rejected.message.endsWith(suggestion === null ? '.' : `; did you mean "${suggestion}"?`)).toBe(
        true,
      )
    },
  )

  test('an unknown member of an export request is a 400, and an unknown filter is ignored', async () => {
    const rejected = await service.post(customer, { max_credit: 10 })
    expect(rejected.status).toBe(400)
    expect(rejected.body.errors).toMatchObject({
      code: 'unknown_parameter',
      details: { parameter: 'max_credit', did_you_mean: 'max_credits' },
    })
    expect((await service.post(customer, { filters: { colour: 'red', page: 3 } })).status).toBe(202)
    await service.write()
  })

  test('an unknown section of an export is a 400 for JSON, and ignored for CSV', async () => {
    for (const body of [{ fields: ['licenses', 'moods'] }, { 'fields[]': ['moods'] }]) {
      const rejected = await service.post(customer, { export_format: 'json', ...body })
      expect([rejected.status, code(rejected)]).toEqual([400, 'unknown_include'])
      expect((await service.post(customer, body)).status).toBe(202)
    }
    await service.write()
  })

  test('an export with malformed JSON is a 400, and another content type a 415', async () => {
    expect(code(await service.post(customer, '{"filters":'))).toBe('invalid_json')
    const rejected = await service.post(customer, '{}', {
      'content-type': 'application/x-www-form-urlencoded',
    })
    expect([rejected.status, code(rejected)]).toEqual([415, 'unsupported_media_type'])
  })

  test('401: an export needs a key', async () => {
    const rejected = await service.ask('/v1/exports', { method: 'POST' })
    expect(rejected.status).toBe(401)
    expect(rejected.body.errors).toEqual({})
  })

  test('402: a plan without exports cannot create one', async () => {
    const free = await service.customer({ plan: 'free' })
    const rejected = await service.post(free, {})
    expect(rejected.status).toBe(402)
    expect(rejected.body.errors).toEqual({
      code: 'plan_upgrade_required',
      details: { feature: 'exports', current_plan: 'free', required_plan: 'starter' },
    })
  })

  test('402: a quote above max_credits creates no export', async () => {
    const { quoted_credits: quote } = (await service.post(customer, {})).body.data
    const rejected = await service.post(customer, { max_credits: quote - 1 })
    expect(rejected.status).toBe(402)
    expect(rejected.body.errors).toEqual({
      code: 'max_credits_exceeded',
      details: { quoted_credits: quote, max_credits: quote - 1 },
    })
    expect((await service.post(customer, { max_credits: quote })).status).toBe(202)
    expect(await exportsOf(customer)).toBe(2)
    await service.write()
  })

  test("max_rows limits an export's quote, file and charge, and domain_after continues it", async () => {
    const all = await service.exported(customer)
    const domainsOf = async (id: number) =>
      parse((await service.download(customer, id)).text, { columns: true }).map(
        row => (row as { domain_normalized: string }).domain_normalized,
      )
    const expected = await domainsOf(all.id)
    const found: string[] = []
    for (;;) {
      const filters = found.length === 0 ? {} : { domain_after: found.at(-1) }
      const body = { filters, max_rows: 50, max_credits: 50 }
      const left = expected.length - found.length
      const record = await service.exported(customer, body)
      expect(record).toMatchObject({
        total_rows: Math.min(50, left),
        expected_rows: Math.min(50, left),
        credits_used: Math.min(50, left),
        truncated_by: left > 50 ? 'max_rows' : null,
      })
      found.push(...(await domainsOf(record.id)))
      if (record.truncated_by === null) break
    }
    expect(found).toEqual(expected)
    const { body } = await service.post(customer, { max_rows: 7, max_credits: 6 })
    expect(body.errors.details).toEqual({ quoted_credits: 7, max_credits: 6 })
    const few = { filters: { domain_after: expected.at(-3) }, max_rows: 7, max_credits: 2 }
    expect(await service.exported(customer, few)).toMatchObject({ total_rows: 2, truncated_by: null })
  })

  test('max_rows lowers the quote of an export by supplier_brand below max_credits', async () => {
    const filters = { supplier_brand: 'Brass Turnip' }
    const fields = ['operator_launch_profile']
    const refused = await service.post(customer, { filters, max_credits: 12 })
    expect([refused.status, code(refused)]).toEqual([402, 'max_credits_exceeded'])
    const body = { filters, export_format: 'json', fields, max_rows: 2, max_credits: 12 }
    expect((await service.post(customer, body)).body.data.quoted_credits).toBe(12)
    expect(await service.exported(customer, { filters, max_rows: 2, max_credits: 2 })).toMatchObject({
      total_rows: 2,
      truncated_by: 'max_rows',
    })
  })

  test("an export's quote includes a profile per row, and its charge only delivered ones", async () => {
    const { quoted_credits: plain } = (await service.post(customer, { export_format: 'json' })).body.data
    const fields = ['operator_launch_profile']
    const { quoted_credits: withProfile } = (await service.post(customer, { export_format: 'json', fields }))
      .body.data
    expect(withProfile).toBe(plain * 6)
    expect((await service.post(customer, { fields })).body.data.quoted_credits).toBe(plain)
    await service.write()
    // One demo site has a launch profile.
    expect(await account(customer)).toMatchObject({ credits_used: 3 * plain + 5, credits_reserved: 0 })
  })

  test.each(['supplier_brand', 'exclude_provider'])(
    'the free quote of an export does not reveal which sites have a supplier: %s',
    async filter => {
      const rejectionOf = async (filters: object) => {
        const { status, body } = await service.post(customer, { max_credits: 0, filters })
        return { status, errors: body.errors }
      }
      const all = await rejectionOf({})
      expect(all.status).toBe(402)
      for (const supplier of ['Brass Turnip', 'Paper Walrus', 'unknown supplier'])
        expect(await rejectionOf({ [filter]: supplier })).toEqual(all)
      const after = { domain_after: 'luckyotter.example' }
      expect(await rejectionOf({ ...after, [filter]: 'Brass Turnip' })).toEqual(await rejectionOf(after))
      const poor = await service.customer({ plan: 'starter', credits: 0 })
      const answers = await Promise.all(
        ['Brass Turnip', 'unknown supplier'].map(name => service.post(poor, { filters: { [filter]: name } })),
      )
      expect(answers.map(({ status }) => status)).toEqual([429, 429])
    },
  )

  test('429: an export with an empty balance is rejected, unless no domain matches', async () => {
    const poor = await service.customer({ plan: 'starter', credits: 0 })
    const rejected = await service.post(poor, {})
    expect(rejected.status).toBe(429)
    expect(rejected.body.errors).toEqual({
      code: 'quota_exceeded',
      details: { granted: 0, used: 0, reserved: 0, required: expect.any(Number) },
    })
    expect(rejected.headers.get('x-should-retry')).toBe('false')
    const empty = await service.exported(poor, { filters: { geo_hint: 'atlantis' } })
    expect(empty).toMatchObject({ total_rows: 0, expected_rows: 0, credits_used: 0, truncated_by: null })
  })
})

describe('an Idempotency-Key of an export', () => {
  test('simultaneous requests with one Idempotency-Key create one export and get one response', async () => {
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

  test('an export request that is retried after completion returns the first response', async () => {
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

  test('a retry of a failed export returns the same response, and a new key creates an export', async () => {
    const first = await service.post(customer, {}, { 'idempotency-key': 'k' })
    await failExport(database(), first.body.data.export_id, 'the disk is full')
    const again = await service.post(customer, {}, { 'idempotency-key': 'k' })
    expect(again.text).toBe(first.text)
    const fresh = await service.post(customer, {}, { 'idempotency-key': 'l' })
    await service.write()
    expect(code(await customer.ask(again.body.data.poll_url))).toBe('export_failed')
    expect((await customer.ask(fresh.body.data.poll_url)).status).toBe(200)
  })

  test('409: an Idempotency-Key cannot be reused for another export', async () => {
    await service.post(customer, {}, { 'idempotency-key': 'k' })
    for (const body of [{ export_format: 'json' }, { max_rows: 1 }]) {
      const reused = await service.post(customer, body, { 'idempotency-key': 'k' })
      expect([reused.status, code(reused)]).toEqual([409, 'idempotency_key_reused'])
    }
    expect(await exportsOf(customer)).toBe(1)
    await service.write()
  })
})

describe('credits of an export', () => {
  test('a balance below the quote limits the rows of an export, and the record says so', async () => {
    const poor = await service.customer({ plan: 'starter', credits: 7 })
    const record = await service.exported(poor)
    expect(record).toMatchObject({ total_rows: 7, credits_used: 7, truncated_by: 'credits' })
    expect(record.expected_rows).toBeGreaterThan(100)
    expect(parse((await service.download(poor, record.id)).text)).toHaveLength(8)
    expect(await account(poor)).toMatchObject({ available_credits: 0, credits_used: 7, credits_reserved: 0 })
  })

  test('an export whose credits are used up before it is written is an empty file, and free', async () => {
    const poor = await service.customer({ plan: 'starter', credits: 1 })
    const { export_id: id } = (await service.post(poor, {})).body.data
    await poor.ask('/v1/domains/resolve?domain=luckyotter.example')
    await service.write()
    const record = (await poor.ask(`/v1/exports/${id}`)).body.data
    expect(record).toMatchObject({ total_rows: 0, bytes: 0, credits_used: 0, truncated_by: 'credits' })
    expect(record.expected_rows).toBeGreaterThan(0)
  })

  test('verify reports an export whose credits differ from its settlement', async () => {
    const { id, credits_used: used } = await service.exported(customer)
    const setCredits = (credits: number) =>
      sql`update exports set credits_used = ${credits} where id = ${id}`.execute(database())
    await setCredits(used - 1)
    expect(await verifyExports(database())).toEqual([
      {
        export: id,
        credits_used: used - 1,
        settled: used,
        problem: 'an export and its settlement differ',
      },
    ])
    await setCredits(used)
  })

  test('exports of the plan internal are not limited by credits', async () => {
    const internal = await service.customer({ plan: 'internal' })
    const record = await service.exported(internal)
    expect(record).toMatchObject({ truncated_by: null, credits_used: record.total_rows })
  })

  test("an export's credits are in the ledger with its request, and in usage with its id", async () => {
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
      select price_key, units, credits, note
        from ledger_entries
       where request_id = 'export-request-1'`.execute(database())
    expect(lines).toEqual([{ price_key: 'export.row', units: credits, credits, note: `export ${id}` }])
    const records = await recentUsage(service.service.live, customer.accountRef, new Date())
    const [written, requested] = records.filter(({ endpoint }) => endpoint === 'create_export')
    expect([requested, written]).toMatchObject([
      { endpoint: 'create_export', status: 202, credits: 0, settlement_status: 'settled' },
      { endpoint: 'create_export', status: 200, credits, source: 'job', settlement_status: 'settled' },
    ])
    expect(written?.request_params).toEqual({ export_id: id })
    const client = { client_version: '4.2.0', mcp_tool_name: 'export_domains', mcp_client_name: null }
    expect([requested, written]).toMatchObject([client, client])
    expect(id).toBe(queued.body.data.export_id)
    const { rows: keys } = await sql`
      select last_four, count(*) as records
        from usage_records
        join api_keys key on key.id = key_id
       where request_id = 'export-request-1'
       group by last_four`.execute(database())
    expect(keys).toEqual([{ last_four: customer.key.slice(-4), records: 2 }])
  })
})
