import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runProgram, startProgram } from '../../test/harness/program.ts'
import { openTestWorld, type TestWorld } from './fixture.ts'

/** Enough for a first load. */
const lines = 60_000

let testWorld: TestWorld
let file: string
beforeAll(async () => {
  testWorld = await openTestWorld()
  file = join(testWorld.directory, 'first.ndjson')
  const text = Array.from({ length: lines }, (_, number) =>
    JSON.stringify({ kind: 'blocklist_entry', regulator: 'poland', domain: `site-${number}.example` }),
  )
  await writeFile(file, `${text.join('\n')}\n`)
})
afterAll(() => testWorld.close())

const settings = () => ({ DATABASE_URL: testWorld.url, DATA_DIR: join(testWorld.directory, 'data') })

/** Returns whether a transaction has removed the indexes, and so locked out readers. */
async function isLoading(): Promise<boolean> {
  const { rows } = await sql`
    select from pg_locks
     where relation = 'domain_listings'::regclass and mode = 'AccessExclusiveLock' and granted`.execute(
    testWorld.world.database,
  )
  return rows.length > 0
}

async function counted(): Promise<unknown> {
  const { rows } = await sql`
    select (select count(*) from domains) as domains,
           (select count(*) from domain_listings) as listings,
           (select count(*) from pg_index where indrelid = 'domain_listings'::regclass) as indexes`.execute(
    testWorld.world.database,
  )
  return rows[0]
}

test('a killed first load leaves an empty world with its indexes, and can be repeated', async () => {
  const before = await counted()
  const killed = startProgram('cli', ['import', file], settings())
  let hasEnded = false
  void killed.ended.then(() => {
    hasEnded = true
  })
  while (!hasEnded && !(await isLoading())) await new Promise(setImmediate)
  await killed.kill()
  expect((await killed.ended).code).toBeNull()
  expect(await counted()).toEqual(before)
  const again = await runProgram('cli', ['--json', 'import', file], settings())
  expect(JSON.parse(again.stdout)).toMatchObject({
    rejected: 0,
    loaded: { blocklist_entry: { added: lines } },
  })
  expect(await counted()).toEqual({ domains: lines, listings: 2 * lines, indexes: 3 })
  const verified = await runProgram('cli', ['verify'], settings())
  expect(verified).toMatchObject({ code: 0 })
})
