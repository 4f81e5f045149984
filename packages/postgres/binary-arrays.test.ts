import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBlankDatabase, type TestDatabase } from '../../test/harness/database.ts'
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
} from './binary-arrays.ts'

// PostgreSQL must receive the values that were sent, equal to those that the driver sends as text.

let database: TestDatabase
let client: pg.Client

beforeAll(async () => {
  database = await createBlankDatabase()
  client = new pg.Client(database.connection)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

async function arrives<Value>(
  type: string,
  encode: (values: readonly (Value | null)[]) => BinaryArray,
  values: readonly (Value | null)[],
): Promise<void> {
  const text = `select ($1::${type}[])::text as sent, ($2::${type}[])::text as wanted`
  const { rows } = await client.query(text, [arrayBuffer(encode(values)), [...values]])
  expect(rows[0].sent).toBe(rows[0].wanted)
}

const int4 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })
const moment = fc.date({
  min: new Date('1900-01-01T00:00:00Z'),
  max: new Date('2200-01-01T00:00:00Z'),
  noInvalidDate: true,
})
/** PostgreSQL's text cannot contain NUL. */
const text = fc.string({ unit: 'grapheme', maxLength: 40 }).map(value => value.replaceAll('\0', ''))
const json = fc.json({ noUnicodeString: false }).filter(value => !value.includes('\\u0000'))
const bytes = fc.uint8Array({ maxLength: 40 }).map(value => Buffer.from(value))

test.each([
  ['int4', int4Array, int4],
  ['int8', int8Array, fc.maxSafeInteger()],
  ['text', textArray, text],
  ['json', jsonArray, json],
  ['jsonb', jsonbArray, json],
  ['bytea', byteaArray, bytes],
  ['timestamptz', timestamptzArray, moment],
  ['uuid', uuidArray, fc.uuid()],
] as [string, (values: readonly unknown[]) => BinaryArray, fc.Arbitrary<unknown>][])(
  'PostgreSQL reads an array of %s as it was sent, even with nulls or empty',
  async (type, encode, value) => {
    await arrives(type, encode, [])
    await arrives(type, encode, [null])
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(value), { maxLength: 12 }), values =>
        arrives(type, encode, values),
      ),
      { numRuns: 60 },
    )
  },
)

test('PostgreSQL reads a composite of arrays, even empty ones, as it was sent', async () => {
  await client.query('create type pg_temp.pair as (numbers int[], words text[])')
  for (const [numbers, words] of [
    [
      [1, null, 3],
      ['a', `"b\\`, null],
    ],
    [[], []],
  ] as [(number | null)[], (string | null)[]][]) {
    const pair = compositeBuffer([int4Array(numbers), textArray(words)])
    const { rows } = await client.query(
      'select (pair).numbers, (pair).words from (select $1::pg_temp.pair as pair) sent',
      [pair],
    )
    expect(rows).toEqual([{ numbers, words }])
  }
})
