import type pg from 'pg'
import { expect, test } from 'vitest'
import { ReplicaPool } from './replica-pool.ts'
import type { ReplicaWatch } from './replica-watch.ts'

const coded = (code: string) => Object.assign(new Error(`SQLSTATE ${code}`), { code })
const busy = new Error('timeout exceeded when trying to connect')

const poolOf = (name: string, error: Error | null = null) =>
  ({
    query: async () => {
      if (error !== null) throw error
      return { rows: [name] }
    },
  }) as unknown as pg.Pool

function readBy(error: Error | null, isFit: boolean, primaryError: Error | null = null) {
  const failures: unknown[] = []
  const watch = { isFit, failed: (each: unknown) => void failures.push(each) } as unknown as ReplicaWatch
  const pool = new ReplicaPool(poolOf('replica', error), poolOf('primary', primaryError), watch)
  const answer = pool.query({ text: 'select' }).then(({ rows }) => rows[0])
  return { answer, failures }
}

test('reads use the replica only while it is fit', async () => {
  expect(await readBy(null, true).answer).toBe('replica')
  expect(await readBy(null, false).answer).toBe('primary')
})

test.each([
  ['a statement that was cancelled for what is replayed', coded('40001')],
  ['a shut down', coded('57P01')],
  ['a table that it has not heard of', coded('42P01')],
  ['nobody who listens', coded('ECONNREFUSED')],
  ['silence', new Error('Query read timeout')],
])(
  'the primary answers when the replica fails with %s, and the failure is reported',
  async (_what, error) => {
    const { answer, failures } = readBy(error, true)
    expect(await answer).toBe('primary')
    expect(failures).toEqual([error])
  },
)

test.each([
  ['a statement that takes too long', coded('57014')],
  ['a crowd at the replica', busy],
])('a read that failed with %s on the replica is not repeated on the primary', async (_what, error) => {
  const { answer, failures } = readBy(error, true)
  await expect(answer).rejects.toBe(error)
  expect(failures).toEqual([])
})

test("when both replica and primary fail, the primary's error is thrown", async () => {
  await expect(readBy(coded('40001'), true, coded('57P03')).answer).rejects.toThrow('57P03')
})
