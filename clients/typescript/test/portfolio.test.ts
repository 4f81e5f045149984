import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDirectory, type TestDirectory } from '../../../test/harness/directory.ts'
import { startService, type TestService } from '../../../test/harness/service.ts'
import { runHere } from './run-command.ts'

let service: TestService
let directory: TestDirectory
let key: string
beforeAll(async () => {
  service = await startService({ world: 'demo_with_registers' })
  directory = await createTestDirectory()
  key = (await service.customer()).key
})
afterAll(async () => {
  await directory.remove()
  await service.close()
})

const at = (name: string) => join(directory.path, name)
const run = (...args: string[]) => runHere(['portfolio', ...args], { key, baseUrl: service.url })

test('the command portfolio stores a table of sites, and reads what changed since', async () => {
  const table =
    'Shop;Site\nOne;https://www.luckyotter.example/x\nTwo;redkite-casino.example\nThree;redkite-casino\n'
  await writeFile(at('sites.csv'), table)
  const put = await run('put', 'merchants', at('sites.csv'))
  expect([put.code, put.stdout]).toEqual([0, ''])
  expect(put.stderr).toContain('merchants has 2 members: 2 added, 0 removed, 1 input without a domain.')
  expect(put.stderr).toContain('redkite-casino: The value')
  expect((await run('show', '--csv')).stdout).toMatch(/^name,size,changed_at,note\r\nmerchants,2,/)
  expect(JSON.parse((await run('show', 'merchants', '--json')).stdout)).toMatchObject([{ size: 2 }])

  // All changes of the history count for these members.
  await sql`update portfolio_members set added_after = 0`.execute(service.service.live.database)
  await sql`update portfolios set created_after = 0`.execute(service.service.live.database)
  const first = await run('changes', 'merchants', '--csv', '--cursor', at('place'))
  expect(first.stdout).toContain(',luckyotter.example,no_record,licensed,coverage\r\n')
  expect(first.stderr).toMatch(/^\d+ changes\. \d+ credits? charged\.\n$/)
  expect(await readFile(at('place'), 'utf8')).toMatch(/^\S+\n$/)
  const second = await run('changes', 'merchants', '--csv', '--cursor', at('place'))
  expect(second.stdout).toBe('detected_at,domain,before,after,cause\r\n')
  expect(second.stderr).toBe('0 changes. 0 credits charged.\n')

  const out = at('changes.ndjson')
  const watching = ['watch', 'portfolio-changes', '--name', 'merchants', '--out', out, '--once']
  expect((await runHere(watching, { key, baseUrl: service.url })).code).toBe(0)
  const events = (await readFile(out, 'utf8')).trim().split('\n')
  expect(events.map(line => JSON.parse(line).domain)).toContain('luckyotter.example')

  expect((await run('delete', 'merchants')).code).toBe(0)
  const gone = await run('changes', 'merchants')
  expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining('There is no portfolio "merchants".')])
})
