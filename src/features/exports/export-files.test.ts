import { createHash } from 'node:crypto'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { loadLines } from '../../../test/harness/load-lines.ts'
import type { Customer } from '../../../test/harness/service.ts'
import { demoKey } from '../../core/api-key.ts'
import { shipRegimes } from '../regimes/index.ts'
import { type ExportService, startExportService } from './fixture.ts'

const columns = ['domain_normalized', 'company_name', 'status', 'last_enriched_at']

let now = new Date()
let service: ExportService
let customer: Customer

beforeAll(async () => {
  service = await startExportService({ now: () => now })
})
beforeEach(async () => {
  now = new Date()
  customer = await service.customer({ plan: 'starter', credits: 100_000 })
})
afterEach(() => service.expectConsistentBooks())
afterAll(() => service.close())

const database = () => service.service.live.database
const code = (response: { body: { errors: { code: string } } }) => response.body.errors.code

describe('a CSV export', () => {
  test('a CSV export is sorted by domain, in UTF-8 without a byte order mark, with CRLF', async () => {
    const { id, total_rows: rows } = await service.exported(customer)
    const { text, headers } = await service.download(customer, id)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(text.startsWith('domain_normalized,company_name,status,last_enriched_at\r\n')).toBe(true)
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    expect(text.endsWith('\r\n')).toBe(true)
    const [head, ...lines] = parse(text) as string[][]
    expect(head).toEqual(columns)
    expect(lines).toHaveLength(rows)
    const domains = lines.map(line => line[0] as string)
    expect(domains).toEqual([...domains].sort())
    expect(new Set(domains).size).toBe(rows)
  })

  test('a CSV export has the same values as domain resolve', async () => {
    const { id } = await service.exported(customer)
    const lines = parse((await service.download(customer, id)).text, { columns: true }) as Record<
      string,
      string
    >[]
    for (const domain of ['luckyotter.example', 'redkite-casino.example', 'twofaced.example']) {
      const resolved = await customer.ask(`/v1/domains/resolve?domain=${domain}&include[]=geo`)
      const { observations } = resolved.body.data
      expect(lines.find(line => line.domain_normalized === domain)).toEqual({
        domain_normalized: domain,
        company_name: observations.company?.name ?? '',
        status: observations.status,
        last_enriched_at: observations.last_enriched_at ?? '',
      })
    }
  })

  test.each([
    '=HYPERLINK("http://a.example","b")',
    'Dot, "Dash" & Co',
    'two\r\nlines',
    '  @sum(A1)',
    'Łódź 賭 🎲',
  ])('a CSV export has the exact company name %j', async name => {
    await loadLines(service.service.live, [
      { kind: 'company', key: 'hostile', company_name: name.trim() },
      { kind: 'domain', domain: 'aaa-first.example', company: 'hostile', relation: 'brand_owner' },
    ])
    const { id } = await service.exported(customer)
    const [, first] = parse((await service.download(customer, id)).text) as string[][]
    expect(first).toEqual(['aaa-first.example', name.trim(), 'not_observed', ''])
  })

  test('a CSV export for a spreadsheet has its formulas escaped, and otherwise the same values', async () => {
    await loadLines(service.service.live, [
      { kind: 'company', key: 'hostile', company_name: '=1+1' },
      { kind: 'domain', domain: 'aaa-first.example', company: 'hostile', relation: 'brand_owner' },
    ])
    const { id } = await service.exported(customer)
    const exact = parse((await service.download(customer, id)).text) as string[][]
    const path = `/v1/exports/${id}/download?spreadsheet=true`
    const opened = await customer.ask(path)
    expect(opened.status).toBe(200)
    expect(opened.headers.get('content-length')).toBe(String(Buffer.byteLength(opened.text)))
    const altered = exact.map((row, line) => (line === 1 ? [row[0], `'${row[1]}`, ...row.slice(2)] : row))
    expect(parse(opened.text)).toEqual(altered)
    expect(opened.text).not.toMatch(/(^|,)"?[=+\-@]/m)
    const half = Math.floor(Buffer.byteLength(opened.text) / 2)
    const parts = await Promise.all(
      [`bytes=0-${half}`, `bytes=${half + 1}-`].map(range => customer.ask(path, { headers: { range } })),
    )
    expect(parts.map(part => part.text).join('')).toBe(opened.text)
  })

  test('a CSV export without rows is an empty file', async () => {
    const record = await service.exported(customer, { filters: { geo_hint: 'atlantis' } })
    expect(record).toMatchObject({ total_rows: 0, bytes: 0, credits_used: 0 })
    for (const query of ['', '?spreadsheet=true']) {
      const file = await customer.ask(`/v1/exports/${record.id}/download${query}`)
      expect([file.status, file.text, file.headers.get('content-length')]).toEqual([200, '', '0'])
    }
  })
})

describe('a JSON export', () => {
  test('a JSON export shows the regime of a market, as a verdict does', async () => {
    await shipRegimes(service.service.live, now)
    // Processes read regimes every few seconds.
    now = new Date(now.getTime() + 5_000)
    const { id } = await service.exported(customer, {
      export_format: 'json',
      filters: { jurisdiction: 'brazil' },
    })
    const rows = JSON.parse((await service.download(customer, id)).text)
    const { data } = (await customer.ask(`/v1/domains/resolve?domain=${rows[0].domain}`)).body
    expect(rows[0].licensed_by).toEqual(data.licensed_by)
    expect(rows[0].licensed_by[0].regime).toMatchObject({ state: 'prohibited', from: '2026-09-25' })
  })

  test('a JSON export is one array of domains, with the same sections as domain resolve', async () => {
    const fields = ['licenses', 'payment_methods', 'geo', 'platform_history']
    const { id, total_rows: total } = await service.exported(customer, {
      export_format: 'json',
      fields: fields.slice(0, 2),
      'fields[]': fields.slice(2),
    })
    const rows = JSON.parse((await service.download(customer, id)).text)
    expect(rows).toHaveLength(total)
    const row = rows.find((each: { domain: string }) => each.domain === 'luckyotter.example')
    const include = fields.map(field => `&include[]=${field}`).join('')
    const { data } = (await customer.ask(`/v1/domains/resolve?domain=luckyotter.example${include}`)).body
    const { observed_at, generated_at } = data.observations.meta
    expect(row).toEqual({
      ...data.observations,
      meta: { observed_at, generated_at },
      verdict: data.verdict,
      licensed_by: data.licensed_by,
      blocked_by: data.blocked_by,
    })
    for (const field of fields) expect(row).toHaveProperty(field)
    for (const field of ['logos', 'supplier_brands', 'operator_launch_profile'])
      expect(row).not.toHaveProperty(field)
  })

  test('a JSON export matches the schema in openapi.json', async () => {
    const { id } = await service.exported(customer, {
      export_format: 'json',
      fields: ['geo', 'payment_methods'],
    })
    const { text, headers } = await service.download(customer, id)
    const { body: document } = await service.ask('/openapi.json')
    const { content } = document.paths['/v1/exports/{id}/download'].get.responses[200]
    const ajv = new Ajv2020({ strict: false })
    addFormats.default(ajv)
    const { schema } = content[headers.get('content-type') ?? '']
    const check = ajv.compile({ ...schema, components: document.components })
    const rows = JSON.parse(text)
    expect(rows.length).toBeGreaterThan(100)
    expect([check(rows), check.errors]).toEqual([true, null])
    expect([check([{ ...rows[0], secret: 1 }]), check('text')]).toEqual([false, false])
  })

  test('a JSON export has no undeclared stored fields', async () => {
    await sql`
      update observations
         set value = value || '{"confidence": "high", "source_url": "https://secret.example"}'
       where section = 'payment_methods'`.execute(database())
    const { id } = await service.exported(customer, { export_format: 'json', fields: ['payment_methods'] })
    const { text } = await service.download(customer, id)
    expect(text).toContain('normalized_name')
    expect(text).not.toContain('secret')
    expect(text).not.toContain('confidence')
  })

  test('400: a JSON export cannot be downloaded as a spreadsheet', async () => {
    const { id } = await service.exported(customer, { export_format: 'json' })
    const rejected = await customer.ask(`/v1/exports/${id}/download?spreadsheet=true`)
    expect([rejected.status, code(rejected)]).toEqual([400, 'invalid_parameter'])
  })

  test('a JSON export without rows is an empty array', async () => {
    const record = await service.exported(customer, {
      export_format: 'json',
      filters: { geo_hint: 'atlantis' },
    })
    expect(JSON.parse((await service.download(customer, record.id)).text)).toEqual([])
  })
})

describe('exports with the demo key', () => {
  const ask = (path: string, more = {}) => service.ask(path, { key: demoKey, ...more })

  test('the demo key simulates an export with the id 1, and stores no row', async () => {
    const queued = await ask('/v1/exports', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    expect(queued.status).toBe(202)
    expect(queued.body.data).toMatchObject({
      export_id: 1,
      poll_url: '/v1/exports/1',
      demo: true,
      simulated: true,
    })
    const { total_rows: quoted } = (await ask('/v1/exports/1')).body.data
    expect(queued.body.data.quoted_credits).toBe(quoted)
    const { rows } = await sql`select 1 from demo.exports`.execute(database())
    expect(rows).toEqual([])
  })

  test('the demo export has observed sites, with dates that do not change', async () => {
    const [, ...rows] = parse((await ask('/v1/exports/1/download')).text) as string[][]
    expect(rows.map(([domain]) => domain)).toContain('luckyotter.example')
    for (const [, company, status, observedAt = ''] of rows) {
      expect([company === '', status]).toEqual([false, 'observed'])
      expect(observedAt).toMatch(/^2026-/)
    }
    const shown = (await ask('/v1/exports/1')).body.data
    now = new Date(now.getTime() + 86_400_000)
    expect((await ask('/v1/exports/1')).body.data).toEqual(shown)
    expect(shown).toMatchObject({
      total_rows: rows.length,
      completed_at: '2026-10-01T06:00:00.000Z',
      expires_at: '2026-10-02T06:00:00.000Z',
    })
  })

  test('the demo key shows its export, and downloads the same small CSV each time', async () => {
    const shown = await ask('/v1/exports/1')
    expect(shown.status).toBe(200)
    expect(shown.body.data).toMatchObject({
      id: 1,
      status: 'completed',
      format: 'csv',
      expected_rows: shown.body.data.total_rows,
      truncated_by: null,
      credits_used: 0,
      demo: true,
    })
    const [file, again] = [await ask('/v1/exports/1/download'), await ask('/v1/exports/1/download')]
    expect(file.text).toBe(again.text)
    expect(file.headers.get('etag')).toBe(`"${shown.body.data.sha256}"`)
    expect(parse(file.text)).toHaveLength(1 + shown.body.data.total_rows)
    expect(createHash('sha256').update(file.text).digest('hex')).toBe(shown.body.data.sha256)
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="baize-export-demo.csv"')
    const part = await ask('/v1/exports/1/download', { headers: { range: 'bytes=7-16' } })
    expect([part.status, part.text]).toEqual([206, file.text.slice(7, 17)])
    const opened = await ask('/v1/exports/1/download?spreadsheet=true')
    expect([opened.status, parse(opened.text)]).toEqual([200, parse(file.text)])
  })

  test('403: the demo key has no other export than its own', async () => {
    const rejections = [
      await ask('/v1/exports/2'),
      await ask('/v1/exports/2/download'),
      await ask('/v1/exports', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"export_format":"json"}',
      }),
    ]
    expect(rejections.map(each => [each.status, code(each)])).toEqual(
      rejections.map(() => [403, 'demo_key_restricted']),
    )
  })
})
