import type pg from 'pg'
import { afterEach, expect, test, vi } from 'vitest'
import { BatchReader, type PointRead } from './batch-reader.ts'

type Row = { key: string }
type Statement = { keys: string[]; answer(): void }

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

const rows: PointRead<Row> = { name: 'rows', text: 'select', keyOf: row => row.key }

afterEach(() => {
  vi.useRealTimers()
})

test('keys that are requested while a statement runs are sent together in the next statement', async () => {
  const { pool, statement } = slowPool()
  const gatherer = new BatchReader(rows, pool)
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

test('a slow statement does not delay keys that are requested later', async () => {
  const { pool, statement } = slowPool()
  const gatherer = new BatchReader({ ...rows, variableCost: { secondStatementAfterMs: 1, keysMax: 8 } }, pool)
  const slow = gatherer.read('slow')
  const sent = await statement(0)
  const quick = gatherer.read('quick')
  const beside = await statement(1)
  beside.answer()
  expect(await quick).toEqual({ key: 'quick' })
  sent.answer()
  expect(await slow).toEqual({ key: 'slow' })
})

test('a batch reader runs at most two statements at once, however slow they are', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { pool, statements, statement } = slowPool()
  const gatherer = new BatchReader({ ...rows, variableCost: { secondStatementAfterMs: 1, keysMax: 2 } }, pool)
  const reads = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(key => gatherer.read(key))
  const first = await statement(0)
  await vi.advanceTimersByTimeAsync(1)
  const second = await statement(1)
  expect([first.keys, second.keys]).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(statements).toHaveLength(2)
  second.answer()
  const third = await statement(2)
  expect(third.keys).toEqual(['e', 'f'])
  first.answer()
  third.answer()
  await vi.advanceTimersByTimeAsync(1)
  const last = await statement(3)
  last.answer()
  expect((await Promise.all(reads)).map(row => row?.key)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
})

const refusing = (code: string | null) => {
  const asked: string[][] = []
  const query = async ({ values: [keys] }: { values: [string[]] }) => {
    asked.push(keys)
    if (keys.includes('bad')) throw Object.assign(new Error('refused'), code === null ? {} : { code })
    return { rows: keys.map(key => ({ key })) }
  }
  return { asked, gatherer: new BatchReader(rows, { query } as unknown as pg.Pool) }
}

test('an error for one key does not fail the other keys of its statement', async () => {
  const { gatherer } = refusing('22P02')
  const reads = await Promise.allSettled(['good', 'bad', 'fine'].map(key => gatherer.read(key)))
  expect(reads.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test.each([
  ['the database is away', '57P01'],
  ['a statement took too long', '57014'],
])('after %s, the remaining keys are not requested', async (_title, code) => {
  const { asked, gatherer } = refusing(code)
  const reads = await Promise.allSettled(['good', 'bad'].map(key => gatherer.read(key)))
  expect(reads.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(asked).toHaveLength(1)
})
