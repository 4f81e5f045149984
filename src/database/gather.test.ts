import type pg from 'pg'
import { expect, test } from 'vitest'
import { Gatherer, type PointRead } from './gather.ts'

type Row = { key: string }
type Statement = { keys: string[]; answer(): void }

/** A pool whose statements answer when the test says so. */
function slowPool() {
  const statements: Statement[] = []
  const waiters: (() => void)[] = []
  const query = ({ values: [keys] }: { values: [string[]] }) =>
    new Promise(resolve => {
      statements.push({ keys, answer: () => resolve({ rows: keys.map(key => ({ key })) }) })
      for (const woken of waiters.splice(0)) woken()
    })
  async function statement(number: number): Promise<Statement> {
    while (statements[number] === undefined) await new Promise<void>(resolve => waiters.push(resolve))
    return statements[number]
  }
  return { pool: { query } as unknown as pg.Pool, statements, statement }
}

const rows: PointRead<Row> = { name: 'rows', text: 'select', keyOf: row => row.key, from: 'primary' }

test('keys gather while a statement is in flight, and go together in the next', async () => {
  const { pool, statement } = slowPool()
  const gatherer = new Gatherer(rows, pool)
  const first = gatherer.read('a')
  const sent = await statement(0)
  const others = [gatherer.read('b'), gatherer.read('c'), gatherer.read('b')]
  sent.answer()
  expect(await first).toEqual({ key: 'a' })
  const next = await statement(1)
  expect(next.keys).toEqual(['b', 'c'])
  next.answer()
  expect(await Promise.all(others)).toEqual([{ key: 'b' }, { key: 'c' }, { key: 'b' }])
})

test('a statement that takes too long holds nobody up who comes after it', async () => {
  const { pool, statement } = slowPool()
  const gatherer = new Gatherer({ ...rows, overtakenAfterMs: 1 }, pool)
  const slow = gatherer.read('slow')
  const sent = await statement(0)
  const quick = gatherer.read('quick')
  const beside = await statement(1)
  beside.answer()
  expect(await quick).toEqual({ key: 'quick' })
  sent.answer()
  expect(await slow).toEqual({ key: 'slow' })
})
