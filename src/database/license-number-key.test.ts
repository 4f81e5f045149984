import { splitVersion } from '@baize/names'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withClient } from '../../test/harness/client.ts'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const spelt = (number: string) => (splitVersion(number)?.number ?? number).replaceAll(' ', '').toUpperCase()

test('the database looks up a license number without its version counter', async () => {
  const part = fc.constantFrom('039483', '1', 'R', 'n', 'RX', 'MGA', '004', '', ' ')
  const numbers = fc.sample(
    fc
      .tuple(fc.array(part, { minLength: 1, maxLength: 6 }), fc.constantFrom('-', ' - ', '/', ''))
      .map(([parts, joint]) => parts.join(joint)),
    2_000,
  )
  const sample = [...numbers, '039483-R-319313-004', '039483 - r - 319313 - 1', '039483-R-319313', '1-R-2-x']
  expect(sample.some(number => splitVersion(number) !== null)).toBe(true)
  const { rows } = await withClient(database.connection, client =>
    client.query('select license_number_key(number) as key from unnest($1::text[]) as number', [sample]),
  )
  expect(rows.map(row => row.key)).toEqual(sample.map(spelt))
})
