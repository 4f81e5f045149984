import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { World } from '../database/open.ts'
import { accountWith, type Books, chargeItem, expectTrueBooks, figures, keyed, openBooks } from './fixture.ts'
import { type SettleItem, type SettleOutcome, settleOnce } from './settle-statement.ts'
import { newSettlementId } from './settlement-id.ts'

// During an upgrade, processes of release 0.1.0 call `settle`, those that record no keys `settle_v2`, those
// without MCP sessions `settle_v3`, and newer ones `settle_v4`, on one database.

let world: World
let pool: pg.Pool
let close: Books['close']

beforeAll(async () => {
  ;({ world, pool, close } = await openBooks())
})
afterEach(() => expectTrueBooks(world))
afterAll(() => close())

type Settle = (items: readonly SettleItem[]) => Promise<SettleOutcome[]>

const settleNew: Settle = items =>
  settleOnce(async (text, values) => (await pool.query<SettleOutcome>(text, values)).rows, items)

/** As release 0.1.0 calls it, but for the binary form of the arrays. */
const settleOld: Settle = async items => {
  const accounts = [...new Set(items.map(item => item.accountId))].sort((a, b) => a - b)
  const numbered = items.map((item, index) => ({ item, number: index + 1 }))
  const lines = numbered.flatMap(({ item, number }) =>
    (item.charges ?? []).map(line => ({ ...line, number })),
  )
  const written = numbered.flatMap(({ item, number }) =>
    item.writes === undefined ? [] : [{ ...item.writes, number }],
  )
  const parameters: Record<string, unknown> = {
    accounts,
    skip_busy: false,
    settled_at: new Date(),
    item_account: items.map(item => accounts.indexOf(item.accountId) + 1),
    item_kind: items.map(item => item.kind),
    item_settlement: items.map(item => item.settlementId),
    item_credits: items.map(item => item.credits),
    item_credits_min: items.map(item => item.creditsMin ?? 0),
    item_reservation: items.map(item => item.reservationId ?? null),
    item_lease_until: items.map(item => item.leaseUntil ?? item.leaseEndedBefore ?? null),
    item_note: items.map(item => item.note ?? null),
    item_request: items.map(item => item.requestId ?? null),
    item_key: items.map(item => item.answer?.idempotency?.key ?? null),
    item_fingerprint: items.map(item => item.answer?.idempotency?.fingerprint ?? null),
    item_status: items.map(item => item.answer?.status ?? null),
    item_body: items.map(item => item.answer?.idempotency?.body ?? null),
    usage_item: [],
    usage_requested_at: [],
    usage_endpoint: [],
    usage_duration_ms: [],
    usage_params: [],
    usage_source: [],
    usage_client: [],
    line_item: lines.map(line => line.number),
    line_price: lines.map(line => line.key),
    line_units: lines.map(line => line.units),
    line_credits: lines.map(line => line.credits_charged),
    write_item: written.map(write => write.number),
    write_export: written.map(write => JSON.stringify(write.data)),
    write_job: written.map(write => JSON.stringify(write.job)),
  }
  const names = Object.keys(parameters).map((name, index) => `${name} => $${index + 1}`)
  const { rows } = await pool.query<SettleOutcome>(
    `select item, outcome, moved, granted, used, reserved, stored_status, stored_body
       from settle(${names.join(', ')})`,
    Object.values(parameters),
  )
  return rows
}

/** As processes call it that know no MCP sessions. */
const settleWithoutSessions: Settle = items =>
  settleOnce(async (_text, values) => {
    const [, ofItems] = values.splice(-2)
    const { rows } = await pool.query<SettleOutcome>(
      `select item, outcome, moved, granted, used, reserved, stored_status, stored_body
         from settle_v3(accounts => $1, skip_busy => $2, settled_at => $3, lines => $4, usages => $5,
                        writes => $6, usage_keys => $7, items => $8)`,
      [...values, ofItems],
    )
    return rows
  }, items)

/** As processes call it that record no keys. */
const settleWithoutKeys: Settle = items =>
  settleOnce(async (_text, values) => {
    const [, , ofItems] = values.splice(-3)
    const { rows } = await pool.query<SettleOutcome>(
      `select item, outcome, moved, granted, used, reserved, stored_status, stored_body
         from settle_v2(accounts => $1, skip_busy => $2, settled_at => $3, lines => $4, usages => $5,
                        writes => $6, items => $7)`,
      [...values, ofItems],
    )
    return rows
  }, items)

const both: [name: string, first: Settle, second: Settle][] = [
  ['settle, then settle_v4', settleOld, settleNew],
  ['settle_v4, then settle', settleNew, settleOld],
  ['settle_v2, then settle_v4', settleWithoutKeys, settleNew],
  ['settle_v4, then settle_v2', settleNew, settleWithoutKeys],
  ['settle_v3, then settle_v4', settleWithoutSessions, settleNew],
  ['settle_v4, then settle_v3', settleNew, settleWithoutSessions],
]

const versions = [settleOld, settleWithoutKeys, settleWithoutSessions, settleNew]

async function outcomesOf(settling: Promise<SettleOutcome[]>): Promise<string[]> {
  return (await settling).map(({ outcome }) => outcome)
}

test('all functions give the same outcomes and figures for the same batches', async () => {
  const step = fc.record({
    kind: fc.constantFrom('charge', 'keyed', 'grant', 'reserve', 'from_reservation', 'release', 'sent_again'),
    credits: fc.integer({ min: 0, max: 6 }),
    creditsMin: fc.integer({ min: 0, max: 4 }),
    key: fc.constantFrom('a', 'b', 'c'),
    fingerprint: fc.constantFrom('one', 'other'),
    which: fc.nat({ max: 5 }),
  })
  const now = new Date()

  /**
   * The same steps against an account of its own: what each came to, and the account's figures at the end.
   */
  async function settleAll(settle: Settle, batches: Step[][]): Promise<unknown> {
    const account = await accountWith(world, 10)
    const sent: SettleItem[] = []
    const reservations: string[] = []
    const results: unknown[] = []
    for (const steps of batches) {
      const keys = new Set<string>()
      const items = steps.flatMap(each => itemsOf(each, account, { sent, reservations, keys }))
      const outcomes = items.length === 0 ? [] : await settle(items)
      for (const [index, item] of items.entries())
        if (item.kind === 'reserve' && outcomes[index]?.outcome === 'settled')
          reservations.push(item.settlementId)
      sent.push(...items)
      results.push(outcomes)
    }
    return [results, await figures(world, account)]
  }

  type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never
  type Before = { sent: SettleItem[]; reservations: string[]; keys: Set<string> }

  function itemsOf(each: Step, account: number, { sent, reservations, keys }: Before): SettleItem[] {
    const { kind, credits, creditsMin, key, fingerprint, which } = each
    const base = { accountId: account, settlementId: newSettlementId(), credits }
    const reservationId = reservations[which % Math.max(1, reservations.length)]
    if (kind === 'charge') return [chargeItem(account, credits, { creditsMin })]
    if (kind === 'grant') return [{ ...base, kind }]
    if (kind === 'reserve')
      return [{ ...base, kind, creditsMin, note: 'test', leaseUntil: new Date(now.getTime() + which - 2) }]
    if (kind === 'sent_again') {
      const [again] = sent.slice(which, which + 1)
      if (again === undefined || again.answer?.idempotency || keys.has(again.reservationId ?? '')) return []
      // The oldest function subtracts a reservation twice that two items of a batch name.
      if (again.reservationId !== undefined) keys.add(again.reservationId)
      return [again]
    }
    if (kind === 'keyed') {
      // A batch never has one key twice.
      if (keys.has(key)) return []
      keys.add(key)
      return [keyed(account, credits, key, { print: fingerprint })]
    }
    if (reservationId === undefined || keys.has(reservationId)) return []
    keys.add(reservationId)
    return kind === 'release'
      ? [{ ...base, kind, credits: 0, reservationId, leaseEndedBefore: now }]
      : [chargeItem(account, credits, { reservationId })]
  }

  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { maxLength: 8 }), { maxLength: 5 }), async batches => {
      const settled = await settleAll(settleNew, batches)
      expect(await settleAll(settleOld, batches)).toEqual(settled)
      expect(await settleAll(settleWithoutKeys, batches)).toEqual(settled)
      expect(await settleAll(settleWithoutSessions, batches)).toEqual(settled)
    }),
    { numRuns: 60 },
  )
})

test('processes of all versions charge shared accounts exactly, without a deadlock', async () => {
  const accounts = await Promise.all([40, 40, 40].map(credits => accountWith(world, credits)))
  const batches = Array.from({ length: 60 }, (_, batch) =>
    Array.from({ length: 5 }, (_, index) => {
      const account = accounts[(batch * 5 + index * 7) % 3] as number
      return index === 0 ? keyed(account, 1, `key ${batch >> 2}`) : chargeItem(account, 1)
    }),
  )
  const results = await Promise.all(
    batches.map((items, index) => (versions[index % versions.length] as Settle)(items)),
  )
  for (const { outcome } of results.flat())
    expect(['settled', 'replayed', 'quota_exceeded']).toContain(outcome)
  for (const account of accounts)
    expect(await figures(world, account)).toEqual({ granted: 40, used: 40, reserved: 0 })
})

test.each(both)(
  '%s: a key is charged once, and a settlement sent again is settled once',
  async (_, first, second) => {
    const account = await accountWith(world, 10)
    const item = chargeItem(account, 2)
    expect(await outcomesOf(first([item, keyed(account, 3, 'key', { body: 'body' })]))).toEqual([
      'settled',
      'settled',
    ])
    const [again, replayed] = await second([item, keyed(account, 3, 'key')])
    expect(again).toMatchObject({ outcome: 'settled', moved: 2 })
    expect(replayed).toMatchObject({ outcome: 'replayed', stored_body: 'body' })
    expect(await outcomesOf(second([keyed(account, 3, 'key', { print: 'other' })]))).toEqual(['reused'])
    expect((await figures(world, account)).used).toBe(5)
  },
)

test.each(both)('%s: a reservation of one is settled from by the other', async (_, first, second) => {
  const account = await accountWith(world, 10)
  const reservationId = newSettlementId()
  const leaseUntil = new Date(Date.now() + 60_000)
  const reserving = { accountId: account, settlementId: reservationId, credits: 8, leaseUntil, note: 'test' }
  expect(await outcomesOf(first([{ kind: 'reserve', ...reserving }]))).toEqual(['settled'])
  expect(await outcomesOf(second([chargeItem(account, 5)]))).toEqual(['quota_exceeded'])
  expect(await outcomesOf(second([chargeItem(account, 5, { reservationId })]))).toEqual(['settled'])
  expect(await figures(world, account)).toEqual({ granted: 10, used: 5, reserved: 0 })
})

test('settle_v3 and settle_v4 record the key of each request, settle_v2 none', async () => {
  const account = await accountWith(world, 10)
  const requested = { requestedAt: new Date(), endpoint: 'x', durationMs: 1, requestParams: '{}' }
  const asking = (requestId: string, keyId: number | null) => {
    const usage = { ...requested, source: 'api' as const, client: null, keyId }
    return chargeItem(account, 1, { requestId, usage })
  }
  await settleWithoutKeys([asking('before', 7)])
  await settleNew([asking('dashboard', null), asking('of a key', 7)])
  await settleNew([asking('dashboard alone', null)])
  await settleWithoutSessions([asking('without sessions', 7)])
  const { rows } = await pool.query(
    'select request_id, key_id, credits from usage_records where account_id = $1 order by usage_id',
    [account],
  )
  expect(rows).toEqual([
    { request_id: 'before', key_id: null, credits: 1 },
    { request_id: 'dashboard', key_id: null, credits: 1 },
    { request_id: 'of a key', key_id: 7, credits: 1 },
    { request_id: 'dashboard alone', key_id: null, credits: 1 },
    { request_id: 'without sessions', key_id: 7, credits: 1 },
  ])
})

test.each(both)('%s: the same export is written by either', async (name, first, second) => {
  const account = await accountWith(world, 10)
  const base = both.findIndex(([each]) => each === name) * 10
  const asking = (id: number): SettleItem => ({
    ...chargeItem(account, 0, { requestId: 'request-1' }),
    writes: {
      writer: 'export',
      data: {
        id,
        format: 'csv',
        filters: { supplier_brand: `O'Brien "\\ {x}` },
        fields: ['licenses', 'a,"b'],
        quoted_rows: 3,
        quoted_credits: 18,
        requested_at: new Date('2026-11-01T12:00:00Z'),
      },
      job: { task: 'write_export', key: `export ${id}`, payload: { export: id }, attempts_max: 8 },
    },
  })
  await first([asking(base + 1)])
  await second([asking(base + 2)])
  const { rows } = await pool.query('select * from exports where account_id = $1 order by id', [account])
  const [{ id: _one, ...one }, { id: _other, ...other }] = rows
  expect(one).toEqual(other)
  expect(one).toMatchObject({ state: 'queued', request_id: 'request-1', fields: ['licenses', 'a,"b'] })
})
