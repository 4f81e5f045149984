import type { Charge, Writes } from '../core/operation.ts'
import {
  byteaArray,
  int4Array,
  int8Array,
  jsonArray,
  jsonbArray,
  textArray,
  timestamptzArray,
  uuidArray,
} from '../database/binary-arrays.ts'
import type { UsageFacts } from './usage.ts'

/** What one settling does to one account. The four kinds of the database function `settle`. */
export type SettleItem = {
  kind: 'charge' | 'grant' | 'reserve' | 'release'
  accountId: number
  settlementId: string
  credits: number
  /** For `reserve`: less than this is a refusal. For `charge`: what the balance has to cover, whatever is charged. */
  creditsMin?: number
  /** For `charge`: the reservation that it settles from, and closes. For `release`: the one that it closes. */
  reservationId?: string
  /** For `reserve`: until when it holds unless renewed. */
  leaseUntil?: Date
  /** For `release`: a lease that goes on beyond this was renewed, and stays. */
  leaseEndedBefore?: Date
  /** Why: the purpose of a reservation, the words of a grant. */
  note?: string
  requestId?: string
  charges?: readonly Charge[]
  /** The answer that is kept under the client's Idempotency-Key. */
  answer?: { status: number; idempotency?: { key: string; fingerprint: Buffer; body: string | Buffer } }
  usage?: UsageFacts
  /** Rows that come with the charge, or not at all. */
  writes?: Writes
}

export type SettleOutcome = {
  outcome:
    | 'settled'
    | 'quota_exceeded'
    | 'replayed'
    | 'reused'
    | 'busy'
    | 'unknown_account'
    | 'not_released'
    /** Of a grant: more would be granted than JSON carries exactly. */
    | 'beyond_bounds'
  /** Credits that moved: charged, granted or reserved. */
  moved: number
  /** The account as the batch leaves it; granted is null where no quota is enforced. */
  granted: number | null
  used: number
  reserved: number
  stored_status: number | null
  stored_body: string | null
}

/** Runs one statement: on a pool, or inside a transaction. */
export type RunStatement = (text: string, values: unknown[]) => Promise<SettleOutcome[]>

/** An item with its place among the batch's items, and that of its account among the batch's accounts; both count from 1. */
type Placed = { item: SettleItem; number: number; account: number }

/** A parameter of the database function: one element a row. */
type Column<Row> = { name: string; encode(rows: readonly Row[]): Buffer }

function column<Row, Value>(
  name: string,
  encode: (values: readonly Value[]) => Buffer,
  of: (row: Row) => Value,
): Column<Row> {
  return { name, encode: rows => encode(rows.map(of)) }
}

/** What few items have: where none has it the array is empty, and any element of it null. */
function sparse<Row, Value>(
  name: string,
  encode: (values: readonly (Value | null)[]) => Buffer,
  of: (row: Row) => Value | undefined,
): Column<Row> {
  return {
    name,
    encode(rows) {
      const values = rows.map(row => of(row) ?? null)
      return encode(values.every(value => value === null) ? [] : values)
    },
  }
}

const itemColumns: Column<Placed>[] = [
  column('item_account', int4Array, ({ account }) => account),
  column('item_kind', textArray, ({ item }) => item.kind),
  column('item_settlement', uuidArray, ({ item }) => item.settlementId),
  column('item_credits', int8Array, ({ item }) => item.credits),
  column('item_credits_min', int8Array, ({ item }) => item.creditsMin ?? 0),
  sparse('item_reservation', uuidArray, ({ item }) => item.reservationId),
  sparse('item_lease_until', timestamptzArray, ({ item }) => item.leaseUntil ?? item.leaseEndedBefore),
  sparse('item_note', textArray, ({ item }) => item.note),
  sparse('item_request', textArray, ({ item }) => item.requestId),
  sparse('item_key', textArray, ({ item }) => item.answer?.idempotency?.key),
  sparse('item_fingerprint', byteaArray, ({ item }) => item.answer?.idempotency?.fingerprint),
  sparse('item_status', int4Array, ({ item }) => item.answer?.status),
  sparse('item_body', textArray, ({ item }) => item.answer?.idempotency?.body),
]

type UsageRow = { number: number; usage: UsageFacts }

const usageColumns: Column<UsageRow>[] = [
  column('usage_item', int4Array, ({ number }) => number),
  column('usage_requested_at', timestamptzArray, ({ usage }) => usage.requestedAt),
  column('usage_endpoint', textArray, ({ usage }) => usage.endpoint),
  column('usage_duration_ms', int4Array, ({ usage }) => usage.durationMs),
  column('usage_params', textArray, ({ usage }) => usage.requestParams),
  column('usage_source', textArray, ({ usage }) => usage.source),
  column('usage_client', jsonArray, ({ usage }) => usage.client && JSON.stringify(usage.client)),
]

type LineRow = { number: number; line: Charge }

const lineColumns: Column<LineRow>[] = [
  column('line_item', int4Array, ({ number }) => number),
  column('line_price', textArray, ({ line }) => line.key),
  column('line_units', int8Array, ({ line }) => line.units),
  column('line_credits', int8Array, ({ line }) => line.credits_charged),
]

type WriteRow = { number: number; writes: Writes }

const writeColumns: Column<WriteRow>[] = [
  column('write_item', int4Array, ({ number }) => number),
  column('write_export', jsonbArray, ({ writes }) => JSON.stringify(writes.export)),
  column('write_job', jsonbArray, ({ writes }) => JSON.stringify(writes.job)),
]

const parameters = [
  'accounts',
  'skip_busy',
  'settled_at',
  ...[...itemColumns, ...usageColumns, ...lineColumns, ...writeColumns].map(({ name }) => name),
]

const text = `
  select item, outcome, moved, granted, used, reserved, stored_status, stored_body
    from settle(${parameters.map((name, index) => `${name} => $${index + 1}`).join(', ')})`

/** One round trip: the items as parallel arrays in, one outcome an item out, in the items' order. */
export function settleOnce(
  run: RunStatement,
  items: readonly SettleItem[],
  skipBusy = false,
): Promise<SettleOutcome[]> {
  const accounts = [...new Set(items.map(item => item.accountId))].sort((a, b) => a - b)
  const places = new Map(accounts.map((account, index) => [account, index + 1]))
  const placed: Placed[] = []
  const usages: UsageRow[] = []
  const lines: LineRow[] = []
  const written: WriteRow[] = []
  for (const [index, item] of items.entries()) {
    const number = index + 1
    placed.push({ item, number, account: places.get(item.accountId) as number })
    if (item.usage !== undefined) usages.push({ number, usage: item.usage })
    for (const line of item.charges ?? []) lines.push({ number, line })
    if (item.writes !== undefined) written.push({ number, writes: item.writes })
  }
  return run(text, [
    int8Array(accounts),
    skipBusy,
    new Date(),
    ...itemColumns.map(({ encode }) => encode(placed)),
    ...usageColumns.map(({ encode }) => encode(usages)),
    ...lineColumns.map(({ encode }) => encode(lines)),
    ...writeColumns.map(({ encode }) => encode(written)),
  ])
}
