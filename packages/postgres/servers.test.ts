import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../test/harness/database.ts'
import { openPool } from './pool.ts'
import { Servers } from './servers.ts'

test('a server that changed its role is left, also after one of its connections was lost', async () => {
  const { connection, drop } = await createTestDatabase()
  onTestFinished(drop)
  const { user, host, port, database } = connection
  const url = (query: string) =>
    `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(String(host))}&port=${port}${query}`
  const servers = new Servers([url(''), url('&application_name=other')], 'primary')
  const pool = openPool({ connectionString: url(''), servers }, 'public', { connectionsMax: 2 })
  onTestFinished(() => pool.end())
  const [kept, broken] = [await pool.connect(), await pool.connect()]
  const ended = new Promise(resolve => kept.once('end', resolve))
  // The connection that is kept may be that of a watch, which nobody else opens again.
  broken.release(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }))
  expect(servers.current).toBeNull()
  servers.leave()
  await ended
  kept.release()
})
