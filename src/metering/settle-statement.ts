import {
  arrayBuffer,
  type BinaryArray,
  byteaArray,
  compositeBuffer,
  int4Array,
  int8Array,
  jsonArray,
  jsonbArray,
  textArray,
  timestamptzArray,
  uuidArray,
} from '@baize/postgres'
import type { Charge, ChargedWrite } from '../core/operation.ts'
import type { UsageFacts } from './usage.ts'

/** One movement of credits of one account. The function `settle` has the same kinds. */
export type SettleItem = {
  kind: 'charge' | 'grant' | 'reserve' | 'release'
  accountId: number
  settlementId: string
  credits: number
  /** The least that `reserve` reserves, or the balance that `charge` needs, whatever it charges. */
  creditsMin?: number
  /** The reservation that `charge` settles from and closes, and that `release` closes. */
  reservationId?: string
  /** The end of the lease that `reserve` begins. */
  leaseUntil?: Date
  /** `release` ignores leases that end after this time, because they were renewed. */
  leaseEndedBefore?: Date
  /** The purpose of a reservation, or the reason for a grant. */
  note?: string
  requestId?: string
  charges?: readonly Charge[]
  /** The response, stored under the client's Idempotency-Key. */
  answer?: { status: number; idempotency?: { key: string; fingerprint: Buffer; body: string | Buffer } }
  usage?: UsageFacts
  /** `charge` adds to the session's spend, and refuses to exceed `creditsMax`; null for no budget. */
  session?: { id: string; creditsMax: number | null }
  /** Rows that are written if the item is settled, in the same transaction. */
  writes?: ChargedWrite
}

export type SettleOutcome = {
  outcome:
    | 'settled'
    | 'quota_exceeded'
    | 'budget_exceeded'
    | 'replayed'
    | 'reused'
    | 'busy'
    | 'unknown_account'
    | 'not_released'
    /** The grants would exceed 2^53 − 1, the largest exact integer of JSON. */
    | 'beyond_bounds'
  /** The credits that were charged, granted or reserved. */
  moved: number
  /** The account's figures after the batch; `granted` is null without a quota. */
  granted: number | null
  used: number
  reserved: number
  stored_status: number | null
  stored_body: string | null
}

/** Runs one statement on a pool or inside a transaction. */
export type RunStatement = (text: string, values: unknown[]) => Promise<SettleOutcome[]>

/** An item with its position in the batch, and the position of its account, both from 1. */
type Placed = { item: SettleItem; number: number; account: number }

/** One field of a composite: an array with an element for each row. */
type Field<Row> = (rows: readonly Row[]) => BinaryArray

function field<Row, Value>(
  encode: (values: readonly Value[]) => BinaryArray,
  read: (row: Row) => Value,
): Field<Row> {
  return rows => encode(rows.map(read))
}

/**
 * Encodes a field that few rows have. The array is empty if no row has the field, and has null elements
 * otherwise.
 */
function sparse<Row, Value>(
  encode: (values: readonly (Value | null)[]) => BinaryArray,
  read: (row: Row) => Value | undefined,
): Field<Row> {
  return rows => {
    const values = rows.map(row => read(row) ?? null)
    return encode(values.every(value => value === null) ? [] : values)
  }
}

// These composite types of the function `settle` have the same fields in the same order.

const itemFields: Field<Placed>[] = [
  field(int4Array, ({ account }) => account),
  field(textArray, ({ item }) => item.kind),
  field(uuidArray, ({ item }) => item.settlementId),
  field(int8Array, ({ item }) => item.credits),
  field(int8Array, ({ item }) => item.creditsMin ?? 0),
  sparse(uuidArray, ({ item }) => item.reservationId),
  sparse(timestamptzArray, ({ item }) => item.leaseUntil ?? item.leaseEndedBefore),
  sparse(textArray, ({ item }) => item.note),
  sparse(textArray, ({ item }) => item.requestId),
  sparse(textArray, ({ item }) => item.answer?.idempotency?.key),
  sparse(byteaArray, ({ item }) => item.answer?.idempotency?.fingerprint),
  sparse(int4Array, ({ item }) => item.answer?.status),
  sparse(textArray, ({ item }) => item.answer?.idempotency?.body),
]

type Line = { number: number; line: Charge }

const lineFields: Field<Line>[] = [
  field(int4Array, ({ number }) => number),
  field(textArray, ({ line }) => line.key),
  field(int8Array, ({ line }) => line.units),
  field(int8Array, ({ line }) => line.credits_charged),
]

type Usage = { number: number; usage: UsageFacts }

const usageFields: Field<Usage>[] = [
  field(int4Array, ({ number }) => number),
  field(timestamptzArray, ({ usage }) => usage.requestedAt),
  field(textArray, ({ usage }) => usage.endpoint),
  field(int4Array, ({ usage }) => usage.durationMs),
  field(textArray, ({ usage }) => usage.requestParams),
  field(textArray, ({ usage }) => usage.source),
  field(jsonArray, ({ usage }) => usage.client && JSON.stringify(usage.client)),
  sparse(int8Array, ({ usage }) => usage.keyId ?? undefined),
]

type Session = { number: number; session: NonNullable<SettleItem['session']> }

const sessionFields: Field<Session>[] = [
  field(int4Array, ({ number }) => number),
  field(textArray, ({ session }) => session.id),
  field(int8Array, ({ session }) => session.creditsMax),
]

type Write = { number: number; write: ChargedWrite }

const writeFields: Field<Write>[] = [
  field(int4Array, ({ number }) => number),
  field(textArray, ({ write }) => write.writer),
  field(jsonbArray, ({ write }) => JSON.stringify(write.data)),
  field(jsonbArray, ({ write }) => JSON.stringify(write.job)),
]

function composite<Row>(fields: readonly Field<Row>[], rows: readonly Row[]): Buffer {
  return compositeBuffer(fields.map(encode => encode(rows)))
}

/** The largest parameter comes last, because pg copies all earlier ones when one exceeds its buffer. */
const text = `
  select item, outcome, moved, granted, used, reserved, stored_status, stored_body
    from settle(accounts => $1, skip_busy => $2, settled_at => $3, lines => $4, usages => $5, writes => $6,
                sessions => $7, items => $8)`

/** Settles a batch in one round trip. Returns one outcome for each item, in the items' order. */
export function settleOnce(
  run: RunStatement,
  items: readonly SettleItem[],
  skipBusy = false,
): Promise<SettleOutcome[]> {
  const accounts = [...new Set(items.map(item => item.accountId))].sort((a, b) => a - b)
  const positions = new Map(accounts.map((account, index) => [account, index + 1]))
  const placed: Placed[] = []
  const lines: Line[] = []
  const usages: Usage[] = []
  const writes: Write[] = []
  const sessions: Session[] = []
  for (const [index, item] of items.entries()) {
    const number = index + 1
    placed.push({ item, number, account: positions.get(item.accountId) as number })
    for (const line of item.charges ?? []) lines.push({ number, line })
    if (item.usage !== undefined) usages.push({ number, usage: item.usage })
    if (item.writes !== undefined) writes.push({ number, write: item.writes })
    if (item.session !== undefined) sessions.push({ number, session: item.session })
  }
  return run(text, [
    arrayBuffer(int8Array(accounts)),
    skipBusy,
    new Date(),
    composite(lineFields, lines),
    composite(usageFields, usages),
    composite(writeFields, writes),
    composite(sessionFields, sessions),
    composite(itemFields, placed),
  ])
}
