import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommandHere } from '../../test/harness/command.ts'
import type { Customer } from '../../test/harness/service.ts'
import { failExport } from '../features/exports/attempt.ts'
import { type ExportService, startExportService } from '../features/exports/fixture.ts'

let service: ExportService
let customer: Customer
let completed: number
let failed: number

beforeAll(async () => {
  service = await startExportService()
  customer = await service.customer({ credits: 100_000 })
  const ask = async (requestId: string) =>
    (await service.post(customer, {}, { 'x-request-id': requestId })).body.data.export_id
  completed = await ask('the-first')
  await service.write()
  failed = await ask('the-second')
  await failExport(service.service.live.database, failed, 'ENOSPC: no space left on device')
  await service.exported(await service.customer({ credits: 3 }))
})
afterAll(() => service.close())

const run = (...args: string[]) => runCommandHere(['export', ...args], { DATABASE_URL: service.database.url })

async function listed(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, '--json')
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

test('exports are listed newest first, for all accounts, for one account, or for one request', async () => {
  const ids = (await listed('list')).map((each: { id: number }) => each.id)
  expect([ids.length, ids[1], ids[2]]).toEqual([3, failed, completed])
  expect(await listed('list', '--account', customer.accountRef)).toMatchObject([
    {
      id: failed,
      status: 'failed',
      attempts: 0,
      failure: 'ENOSPC: no space left on device',
      credits_used: null,
    },
    { id: completed, status: 'completed', attempts: 1, failure: null, request_id: 'the-first' },
  ])
  expect(await listed('list', '--request-id', 'the-second')).toMatchObject([{ id: failed }])
  expect(await listed('list', '--request-id', 'unknown')).toEqual([])
  const { stdout } = await run('list', '--account', customer.accountRef)
  expect(stdout).toContain('ENOSPC: no space left on device')
})

test('export show prints the export as its owner sees it, with its filters', async () => {
  const record = (await customer.ask(`/v1/exports/${completed}`)).body.data
  const { status, total_rows, expected_rows, credits_used, completed_at, expires_at } = record
  expect(await listed('show', String(completed))).toMatchObject({
    account_ref: customer.accountRef,
    ...{ status, total_rows, expected_rows, credits_used, completed_at, expires_at },
  })
  expect((await run('show', String(failed))).stdout).toContain('ENOSPC: no space left on device')
})

test('an unknown account or export is reported as missing', async () => {
  for (const [args, message] of [
    [['list', '--account', 'acc_nobody'], 'There is no account acc_nobody.'],
    [['show', '999999'], 'There is no export 999999.'],
    [['show', 'first'], 'ID must be the number of an export, not "first".'],
  ] as const) {
    const { code, stderr } = await run(...args)
    expect([code, stderr.trim()]).toEqual([1, message])
  }
})
