import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { declaredData } from '../../../test/harness/declared-schema.ts'
import {
  type Customer,
  type Response,
  startService,
  type TestService,
} from '../../../test/harness/service.ts'
import { demoKey } from '../../core/api-key.ts'
import { fullResult, listResult, target } from './fixture.ts'
import {
  type Cadence,
  cadences,
  cancelProspectList,
  createProspectList,
  deliverProspectList,
  prepareProspectList,
} from './index.ts'
import { visibleStatuses } from './schemas.ts'

const path = '/v1/prospect-lists'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const world = () => service.service.live
let minutes = 0

async function create(customer: Customer, cadence: Cadence = 'one_time'): Promise<string> {
  minutes += 1
  const now = new Date(Date.UTC(2026, 2, 1, 12, minutes))
  return (await createProspectList(world(), customer.accountRef, { cadence, now })).prospect_list_ref
}

const readyAt = new Date('2026-04-02T08:30:00.000Z')

async function deliver(ref: string, result: unknown = fullResult): Promise<string> {
  await deliverProspectList(world(), ref, { result, now: readyAt })
  return ref
}

const listOf = async (customer: Customer, query = ''): Promise<Response> => customer.ask(`${path}${query}`)
const refsOf = ({ body }: Response): string[] =>
  body.data.prospect_lists.map((list: { prospect_list_ref: string }) => list.prospect_list_ref)

describe('a list that is not ready', () => {
  test.each(['requested', 'preparing'] as const)(
    'a list in state %s returns metadata, with null for members of the result',
    async status => {
      const customer = await service.customer()
      const ref = await create(customer, 'weekly')
      if (status === 'preparing') await prepareProspectList(world(), ref)
      const metadata = {
        prospect_list_ref: ref,
        status,
        cadence: 'weekly',
        requested_at: expect.stringMatching(/^2026-03-01T.*Z$/),
        ready_at: null,
        target_account_count: null,
        download_path: null,
        result: null,
      }
      const shown = await customer.ask(`${path}/${ref}`)
      expect([shown.status, shown.body.data]).toEqual([200, metadata])
      expect(declaredData('show_prospect_list')(shown.body.data)).toBeNull()
      const listed = await listOf(customer)
      expect(listed.body.data).toEqual({ prospect_lists: [metadata], next_cursor: null, has_more: false })
      expect(declaredData('list_prospect_lists')(listed.body.data)).toBeNull()
    },
  )

  test.each(['requested', 'preparing'] as const)('409: a list in state %s has no download', async status => {
    const customer = await service.customer()
    const ref = await create(customer)
    if (status === 'preparing') await prepareProspectList(world(), ref)
    const { status: answered, body } = await customer.ask(`${path}/${ref}/download`)
    expect([answered, body.errors]).toEqual([409, { code: 'prospect_list_not_ready', details: {} }])
  })
})

describe('a ready list', () => {
  test('a ready list returns the delivered result and its download path', async () => {
    const customer = await service.customer()
    const ref = await deliver(await create(customer))
    const { status, body } = await customer.ask(`${path}/${ref}`)
    expect([status, body.success, body.message]).toEqual([200, true, 'OK'])
    expect(body.data).toMatchObject({
      prospect_list_ref: ref,
      status: 'ready',
      ready_at: readyAt.toISOString(),
      target_account_count: 2,
      download_path: `${path}/${ref}/download`,
    })
    expect(body.data.result).toEqual(fullResult)
    expect(declaredData('show_prospect_list')(body.data)).toBeNull()
  })

  test('a ready list is listed without its result', async () => {
    const customer = await service.customer()
    const ref = await deliver(await create(customer))
    const { body } = await listOf(customer)
    expect(body.data.prospect_lists).toEqual([
      {
        prospect_list_ref: ref,
        status: 'ready',
        cadence: 'one_time',
        requested_at: expect.any(String),
        ready_at: readyAt.toISOString(),
        target_account_count: 2,
        download_path: `${path}/${ref}/download`,
      },
    ])
    expect(declaredData('list_prospect_lists')(body.data)).toBeNull()
  })

  test('a ready list is downloaded as a CSV attachment from its download path', async () => {
    const customer = await service.customer()
    const ref = await deliver(await create(customer))
    const { download_path: downloadPath } = (await customer.ask(`${path}/${ref}`)).body.data
    const { status, headers, text } = await customer.ask(downloadPath)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="prospect-list-2026-04-02-${ref}.csv"`,
    )
    expect(headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
    const rows: string[][] = parse(text)
    expect(rows.map(row => [row[0], row[1], row[7]])).toEqual([
      ['prospect_list_ref', 'target_ref', 'contact_ref'],
      [ref, 't1', 'c1'],
      [ref, 't1', 'c2'],
      [ref, 't2', 'c3'],
    ])
  })

  test('a ready list escapes formulas only with spreadsheet=true', async () => {
    const customer = await service.customer()
    const formula = '=HYPERLINK("https://evil.example/","x")'
    const ref = await deliver(await create(customer), listResult(target('t1', { name: formula })))
    const nameIn = async (query: string) =>
      parse((await customer.ask(`${path}/${ref}/download${query}`)).text)[1]?.[2]
    expect(await nameIn('')).toBe(formula)
    expect(await nameIn('?spreadsheet=false')).toBe(formula)
    expect(await nameIn('?spreadsheet=true')).toBe(`'${formula}`)
  })

  test('the download of a ready list supports range requests', async () => {
    const customer = await service.customer()
    const ref = await deliver(await create(customer))
    const whole = (await customer.ask(`${path}/${ref}/download`)).text
    const part = await customer.ask(`${path}/${ref}/download`, { headers: { range: 'bytes=0-16' } })
    expect([part.status, part.text]).toEqual([206, whole.slice(0, 17)])
  })
})

test('exactly one of several concurrent deliveries of a list succeeds', async () => {
  const customer = await service.customer()
  const ref = await create(customer)
  const results = ['a', 'b', 'c', 'd'].map(name => listResult(target(name)))
  const deliveries = await Promise.allSettled(results.map(result => deliver(ref, result)))
  expect(deliveries.map(({ status }) => status).sort()).toEqual([
    'fulfilled',
    'rejected',
    'rejected',
    'rejected',
  ])
  const { data } = (await customer.ask(`${path}/${ref}`)).body
  const delivered = results[deliveries.findIndex(({ status }) => status === 'fulfilled')]
  expect(data.result).toEqual(delivered)
})

test.each(['', '/download'])(
  "cancelled, unknown and other accounts' lists answer the same 404%s",
  async suffix => {
    const [customer, other] = [await service.customer(), await service.customer()]
    const cancelled = await create(customer)
    await cancelProspectList(world(), cancelled)
    const withdrawn = await deliver(await create(customer))
    await cancelProspectList(world(), withdrawn)
    const refs = [cancelled, withdrawn, await create(other), await deliver(await create(other))]
    const missing = 'pl_00000000000000000000'
    const answers = await Promise.all(
      [missing, ...refs].map(async ref => {
        const { status, body, headers } = await customer.ask(`${path}/${ref}${suffix}`)
        return { status, body: { ...body, timestamp: null }, type: headers.get('content-type') }
      }),
    )
    expect(answers[0]).toMatchObject({
      status: 404,
      body: { success: false, errors: { code: 'not_found', details: {} } },
    })
    for (const answer of answers) expect(answer).toEqual(answers[0])
  },
)

describe('the lists of an account', () => {
  test('an account sees its own lists, without cancelled ones, the newest request first', async () => {
    const [customer, other] = [await service.customer(), await service.customer()]
    const first = await create(customer)
    const second = await create(customer)
    await cancelProspectList(world(), await create(customer))
    await create(other)
    expect(refsOf(await listOf(customer))).toEqual([second, first])
  })

  test('lists with equal request times are ordered by descending ref in every status', async () => {
    const customer = await service.customer()
    const now = new Date(Date.UTC(2026, 2, 1))
    const refs: string[] = []
    for (let count = 0; count < 6; count++) {
      const made = await createProspectList(world(), customer.accountRef, { cadence: 'weekly', now })
      refs.push(made.prospect_list_ref)
    }
    const later = await create(customer)
    const ordered = [later, ...refs.toSorted().reverse()]
    expect(refsOf(await listOf(customer))).toEqual(ordered)
    await deliver(refs[0] as string)
    await prepareProspectList(world(), refs[3] as string)
    expect(refsOf(await listOf(customer))).toEqual(ordered)
  })

  test('an account without lists gets an empty page', async () => {
    const { status, body } = await listOf(await service.customer())
    expect([status, body.data]).toEqual([200, { prospect_lists: [], next_cursor: null, has_more: false }])
  })

  test('lists are filtered by status and cadence', async () => {
    const customer = await service.customer()
    const all = new Map<string, string>()
    for (const cadence of cadences) {
      all.set(await create(customer, cadence), `requested ${cadence}`)
      const preparing = await create(customer, cadence)
      await prepareProspectList(world(), preparing)
      all.set(preparing, `preparing ${cadence}`)
      all.set(await deliver(await create(customer, cadence)), `ready ${cadence}`)
    }
    for (const status of [undefined, ...visibleStatuses])
      for (const cadence of [undefined, ...cadences]) {
        const query = new URLSearchParams({ ...(status && { status }), ...(cadence && { cadence }) })
        const expected = [...all].filter(
          ([, what]) => what.startsWith(status ?? '') && what.endsWith(cadence ?? ''),
        )
        expect(refsOf(await listOf(customer, `?${query}`)).sort()).toEqual(
          expected.map(([ref]) => ref).sort(),
        )
      }
  })

  test('pages of lists have no gaps and no repeats while lists are added', async () => {
    const customer = await service.customer()
    const now = new Date('2026-05-05T05:05:05.005Z')
    // Several lists have the same request time, so that pages end between them.
    for (let number = 0; number < 12; number++) {
      const moment = new Date(now.getTime() + Math.floor(number / 5))
      await createProspectList(world(), customer.accountRef, { cadence: 'weekly', now: moment })
    }
    const all = refsOf(await listOf(customer))
    expect(all).toHaveLength(12)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 13 }), async size => {
        const paged: string[] = []
        let after: string | null = null
        do {
          const page = await listOf(customer, `?page_size=${size}${after === null ? '' : `&after=${after}`}`)
          paged.push(...refsOf(page))
          expect(refsOf(page).length).toBeLessThanOrEqual(size)
          after = page.body.data.next_cursor
          if (after !== null) await create(await service.customer(), 'weekly')
        } while (after !== null)
        expect(paged).toEqual(all)
      }),
      { numRuns: 13 },
    )
    const { body } = await listOf(customer, '?page_size=5')
    const newer = (
      await createProspectList(world(), customer.accountRef, { cadence: 'weekly', now: new Date() })
    ).prospect_list_ref
    const next = refsOf(await listOf(customer, `?page_size=50&after=${body.data.next_cursor}`))
    expect(next).toEqual(all.slice(5))
    expect(next).not.toContain(newer)
  })

  test('a page has 20 lists by default, and 50 at most', async () => {
    const customer = await service.customer()
    for (let number = 0; number < 51; number++) await create(customer)
    expect(refsOf(await listOf(customer))).toHaveLength(20)
    const largest = await listOf(customer, '?page_size=50')
    expect(refsOf(largest)).toHaveLength(50)
    const rest = await listOf(customer, `?page_size=50&after=${largest.body.data.next_cursor}`)
    expect([refsOf(rest).length, rest.body.data.next_cursor]).toEqual([1, null])
  })
})

describe('rejected requests for lists', () => {
  test('400: a request for lists with invalid parameters is rejected', async () => {
    const rows: [query: string, code: string][] = [
      ['?page_size=51', 'invalid_parameter'],
      ['?page_size=0', 'invalid_parameter'],
      ['?status=cancelled', 'invalid_parameter'],
      ['?cadence=daily', 'invalid_parameter'],
      ['?page=2', 'unknown_parameter'],
      ['?after=nonsense', 'invalid_cursor'],
      [`/${'x'.repeat(65)}`, 'invalid_parameter'],
      ['/pl_1/download?spreadsheet=yes', 'invalid_parameter'],
      ['/pl_1?max_credits=1', 'unknown_parameter'],
    ]
    const customer = await service.customer()
    const answers = await Promise.all(
      rows.map(async ([query]) => {
        const { status, body } = await customer.ask(`${path}${query}`)
        return [query, status, body.errors.code]
      }),
    )
    expect(answers).toEqual(rows.map(([query, code]) => [query, 400, code]))
  })

  test('400: a cursor of other filters or of another account is rejected for lists', async () => {
    const [customer, other] = [await service.customer(), await service.customer()]
    await create(customer)
    await create(customer)
    const { next_cursor: cursor } = (await listOf(customer, '?page_size=1')).body.data
    for (const [who, query] of [
      [customer, `?status=ready&after=${cursor}`],
      [other, `?after=${cursor}`],
    ] as const)
      expect((await listOf(who, query)).body.errors.code).toBe('cursor_filter_mismatch')
    const altered = `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`
    expect((await listOf(customer, `?after=${altered}`)).body.errors.code).toBe('invalid_cursor')
  })

  test.each(['', '/pl_1', '/pl_1/download'])('401: a request for lists needs a key%s', async suffix => {
    const { status, body } = await service.ask(`${path}${suffix}`)
    expect([status, body.errors]).toEqual([401, {}])
  })

  test.each(['', '/pl_1', '/pl_1/download'])(
    '403: the demo key has no lists, and the message says how to get a key%s',
    async suffix => {
      const { status, body } = await service.ask(`${path}${suffix}`, { key: demoKey })
      expect([status, body.errors.code, body.errors.details]).toEqual([
        403,
        'demo_key_restricted',
        { templates: [], curl: [] },
      ])
      expect(body.message).toMatch(/key/)
    },
  )
})

test('requests for lists are free, and recorded as usage', async () => {
  const customer = await service.customer({ credits: 0 })
  const ref = await deliver(await create(customer))
  for (const suffix of ['', `/${ref}`, `/${ref}/download`]) {
    const { status, headers } = await customer.ask(`${path}${suffix}`)
    expect([status, headers.get('x-credits-charged')]).toEqual([200, null])
  }
  await service.service.usage.flush()
  const records = await world()
    .database.selectFrom('usage_records as record')
    .innerJoin('accounts as account', 'account.id', 'record.account_id')
    .where('account.account_ref', '=', customer.accountRef)
    .select(['endpoint', 'credits', 'settlement_status'])
    .orderBy('usage_id')
    .execute()
  expect(records).toEqual(
    ['list_prospect_lists', 'show_prospect_list', 'download_prospect_list'].map(endpoint => ({
      endpoint,
      credits: 0,
      settlement_status: 'none',
    })),
  )
})
