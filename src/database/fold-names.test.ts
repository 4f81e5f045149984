import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withClient } from '../../test/harness/client.ts'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

async function fold(lists: readonly (readonly (string | null)[])[]): Promise<string[][]> {
  const { rows } = await withClient(database.connection, client =>
    client.query(
      `select fold_names(array(select jsonb_array_elements_text(list::jsonb))) as keys
         from unnest($1::text[]) with ordinality as given (list, place)
        order by place`,
      [lists.map(list => JSON.stringify(list))],
    ),
  )
  return rows.map(row => row.keys)
}

test('PostgreSQL folds ASCII names alone as it folds them beside a name in another script', async () => {
  const part = fc.constantFrom('Acme', 'acme', 'ACME', ' ', '-', '~', '\t', '\u007f', 'x'.repeat(499), '')
  const name = fc.array(part, { maxLength: 4 }).map(parts => parts.join(''))
  const lists = fc.sample(fc.array(fc.option(name), { maxLength: 5 }), 2_000)
  const alone = await fold(lists)
  const beside = await fold(lists.map(list => [...list, 'Ω']))
  expect(alone.map(keys => [...keys, 'ω'])).toEqual(beside)
  expect(alone.some(keys => keys.length > 2)).toBe(true)
})

test('names are folded without case, blanks and accents, once each and in order', async () => {
  expect(
    await fold([
      [],
      [null, '', ' '],
      ['Red Kite', 'redkite'],
      ['b', 'A'],
      ['c', 'B b', 'a', 'C'],
      ['Havmågen', 'Łódź', 'ßeta', 'Æther'],
    ]),
  ).toEqual([[], [], ['redkite'], ['a', 'b'], ['a', 'bb', 'c'], ['aether', 'havmagen', 'lodz', 'sseta']])
})
