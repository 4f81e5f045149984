/** The bounds for first snapshots of real streams are facts of each stream. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { jsonDescription } from '@baize/registers/test/described'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommandHere } from '../../test/harness/command.ts'
import { createTestDirectory, type TestDirectory } from '../../test/harness/directory.ts'
import { type Customer, startService, type TestService } from '../../test/harness/service.ts'
import { demoDirectory } from '../core/demo-directory.ts'

let service: TestService
let customer: Customer
let directory: TestDirectory

async function json(...args: string[]) {
  const settings = { DATA_DIR: directory.path, DATABASE_URL: service.database.url }
  const { code, stdout, stderr } = await runCommandHere([...args, '--json'], settings)
  expect({ args, stderr }).toEqual({ args, stderr: '' })
  return { code, report: JSON.parse(stdout) }
}

/** The snapshot must be recent, because an old list would be stale. */
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
const hosts = Array.from({ length: 60 }, (_, number) => `blocked-${number}.example`)
const sites = Array.from({ length: 500 }, (_, number) => `first-${number}.example`)
const syncFirst = async (stream: string, text: string, takenAt = hoursAgo(3)) => {
  const file = join(directory.path, 'first.txt')
  await writeFile(file, text)
  return json('register', 'sync', stream, '--file', file, '--taken-at', takenAt)
}
const listOf = (hosts: readonly string[]) => `${hosts.join('\n')}\n`

beforeAll(async () => {
  service = await startService()
  customer = await service.customer({ credits: 1_000 })
  directory = await createTestDirectory()
  const { report } = await syncFirst('france.blocklist', listOf(sites))
  expect(report).toMatchObject({ status: 'applied', added: 500 })
})
afterAll(async () => {
  await service.close()
  await directory.remove()
})

test.each([
  [
    'of too few rows',
    'greece.blocklist',
    listOf(['a-hand-written.example']),
    'first snapshot: 1 row, while known files allow no fewer than 1294 (rows_min)',
  ],
  [
    'of too many rows',
    'us_michigan.sites',
    listOf(Array.from({ length: 301 }, (_, number) => `other-${number}.example`)),
    'first snapshot: 301 rows, while known files allow no more than 300 (rows_max)',
  ],
  [
    'that ends inside a line',
    'romania.blocklist',
    listOf(hosts.flatMap(host => [1, 2, 3, 4].map(number => `${number}${host}`))).slice(0, -3),
    '"first.txt" ends inside a line, unlike other files of romania.blocklist: it may be cut off',
  ],
  [
    'that is mostly the list of another regulator',
    'estonia.blocklist',
    listOf([...sites.slice(100), ...hosts]),
    'first snapshot: 400 of 560 blocked domains are common with france.blocklist, more than 50 %',
  ],
  [
    'that authorises what is blocked elsewhere',
    'spain.sites',
    listOf(sites.slice(300)),
    'first snapshot: 200 of 200 authorised domains are blocked elsewhere, more than 70 %',
  ],
  [
    'with the very file of another market, however short',
    'sweden.sites',
    listOf(sites),
    'first snapshot: its files are those of france.blocklist',
  ],
])(
  'a first snapshot %s is quarantined, its reason names the bound, and no fact changes',
  async (_what, stream, text, reason) => {
    const { code, report } = await syncFirst(stream, text)
    expect({ code, report }).toMatchObject({ code: 1, report: { status: 'held', signals: 0 } })
    expect(report.reasons).toContain(reason)
    const { body } = await customer.ask('/v1/domains/resolve?domain=first-499.example')
    expect(body.data).toMatchObject({ verdict: 'blocklisted', licensed_by: [] })
    expect(body.data.blocked_by).toHaveLength(1)
  },
)

test('a first snapshot is applied by the command that its report names', async () => {
  const { report } = await syncFirst('spain.sites', listOf(['a-hand-written.example']))
  expect(report.approve_with).toMatch(/^baize register approve snap_\w+ --why "…"$/)
  const [, ...command] = report.approve_with.split(' ').slice(0, -1)
  expect(await json(...command, 'It was read aloud by the regulator.')).toMatchObject({
    code: 0,
    report: { status: 'applied', added: 1, signals: 0 },
  })
})

test('a first snapshot from demo/ can have any number of rows', async () => {
  const file = join(demoDirectory, 'registers/italy.blocklist/2026-08-31/hosts.txt')
  const { report } = await json('register', 'sync', 'italy.blocklist', '--file', file)
  expect(report).toMatchObject({ status: 'applied', reasons: [] })
})

test('the good file can be approved after a first snapshot that contains every row twice', async () => {
  const good = listOf(hosts)
  const twice = await syncFirst('romania.sites', good + good, hoursAgo(2))
  expect(twice.report).toMatchObject({
    status: 'held',
    reasons: [
      '"first.txt" contains everything twice: its second half repeats the first',
      '60 of 120 rows repeat a record: the file may contain everything twice',
    ],
  })
  await json('register', 'approve', twice.report.snapshot_ref, '--why', 'a mistake')
  const once = await syncFirst('romania.sites', good, hoursAgo(1))
  expect(once.report).toMatchObject({
    status: 'held',
    reasons: ['"first.txt" is the beginning of the last snapshot\'s file: it may be cut off'],
  })
  expect(await json('register', 'approve', once.report.snapshot_ref, '--why', 'whole')).toMatchObject({
    code: 0,
    report: { status: 'applied', rows: 60, removed: 0 },
  })
  expect((await syncFirst('romania.sites', good, hoursAgo(0))).report).toMatchObject({
    status: 'unchanged',
  })
})

test('the first snapshot of a described register is compared with other streams, too', async () => {
  const description = join(directory.path, 'jersey-sites.json')
  await writeFile(description, JSON.stringify(jsonDescription))
  await json('register', 'describe', description)
  const foreign = await syncFirst('jersey.sites', `Site\n${listOf(sites)}`, hoursAgo(3))
  expect(foreign.report).toMatchObject({
    status: 'held',
    reasons: ['first snapshot: 500 of 500 authorised domains are blocked elsewhere, more than 70 %'],
  })
  const table = hosts.map((host, number) => `jersey-${host}\t${number}`)
  const cut = await syncFirst('jersey.sites', `Site\tNumber\n${listOf(table)}heron.exam`, hoursAgo(2))
  expect(cut.report).toMatchObject({
    status: 'held',
    reasons: ['the last row is incomplete: the file may be cut off'],
  })
  expect(await json('register', 'approve', cut.report.snapshot_ref, '--why', 'a remark')).toMatchObject({
    code: 0,
    report: { status: 'applied', added: 60 },
  })
})

test('a file that was synced to the wrong stream can be applied after that sync is discarded', async () => {
  const list = listOf(Array.from({ length: 200 }, (_, number) => `swapped-${number}.example`))
  const wrong = await syncFirst('belgium.blocklist', list)
  expect(wrong.report).toMatchObject({ status: 'applied', added: 200 })
  const first = await syncFirst('australia.blocklist', list)
  expect(first.report).toMatchObject({ status: 'held' })
  expect((await syncFirst('australia.blocklist', list)).report).toMatchObject({
    status: 'held',
    snapshot_ref: first.report.snapshot_ref,
    reasons: first.report.reasons,
  })
  await json('register', 'discard', wrong.report.snapshot_ref, '--why', 'the file of another regulator')
  expect((await syncFirst('australia.blocklist', list)).report).toMatchObject({
    status: 'applied',
    reasons: [],
  })
})
