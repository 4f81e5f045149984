import { Socket } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { openPool } from './pool.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('a wait for a free connection has the limit that its pool names', async () => {
  const hasty = openPool(database.connection, 'public', { connectionsMax: 1, connectWithinMs: 200 })
  const patient = openPool(database.connection, 'public', { connectionsMax: 1, connectWithinMs: 60_000 })
  const taken = [await patient.connect(), await hasty.connect()]
  const waiting = patient.connect()
  await expect(hasty.connect()).rejects.toThrow('timeout exceeded')
  for (const client of taken) client.release()
  ;(await waiting).release()
  await Promise.all([hasty.end(), patient.end()])
})

test('a connection that says nothing is probed after ten seconds', async () => {
  const probe = vi.spyOn(Socket.prototype, 'setKeepAlive')
  onTestFinished(() => probe.mockRestore())
  const pool = openPool(database.connection, 'public', { connectionsMax: 1 })
  await pool.query('select')
  expect(probe).toHaveBeenCalledWith(true, 10_000)
  await pool.end()
})
