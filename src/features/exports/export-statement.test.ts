import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommandHere } from '../../../test/harness/command.ts'
import type { Customer } from '../../../test/harness/service.ts'
import { grantCredits } from '../account/index.ts'
import { beginAttempt, failExport } from './attempt.ts'
import { type ExportService, startExportService } from './fixture.ts'
import { expireExports } from './sweep-exports.ts'

let now = new Date()
let service: ExportService
beforeAll(async () => {
  service = await startExportService({ now: () => now })
})
afterAll(() => service.close())

const world = () => service.service.live
const figuresOf = async (customer: Customer) => (await customer.ask('/v1/account')).body.data

async function statementOf({ accountRef }: Customer, ...more: string[]): Promise<string> {
  const args = ['account', 'statement', accountRef, ...more]
  const { code, stdout, stderr } = await runCommandHere(args, { DATABASE_URL: service.database.url })
  expect([code, stderr]).toEqual([0, ''])
  return stdout
}

test("a statement lists each charged export and ends with the account's figures", async () => {
  const customer = await service.customer({ credits: 80 })
  const headers = { 'content-type': 'application/json', 'x-request-id': 'export-whole' }
  const whole = await service.post(customer, { filters: { enriched_after: '2026-01-01T00:00:00Z' } }, headers)
  await service.write()
  const { id, credits_used: used } = (await customer.ask(whole.body.data.poll_url)).body.data

  const truncated = await service.exported(customer, { filters: { exclude_payment: 'card' } })
  const rest = 80 - used
  expect(truncated).toMatchObject({ truncated_by: 'credits', credits_used: rest })

  await grantCredits(world(), customer.accountRef, { credits: 50, note: 'invoice 7' })
  const failing = (await service.post(customer, {})).body.data.export_id
  await beginAttempt(world().database, failing, now)
  expect(JSON.parse(await statementOf(customer, '--json')).closing).toEqual({
    granted: 130,
    used: 80,
    balance: 50,
    reserved: 50,
  })
  await failExport(world().database, failing, 'the disk is full')

  now = new Date(now.getTime() + 25 * 3_600_000)
  expect(await expireExports(world().database, service.service.files, now)).toBe(2)

  const { entries, closing } = JSON.parse(await statementOf(customer, '--json'))
  const charge = { kind: 'charge', price_key: 'export.row', endpoint: 'create_export' }
  expect(entries).toMatchObject([
    { kind: 'grant', credits: 80, balance: 80 },
    { ...charge, credits: used, balance: rest, request_id: 'export-whole', note: `export ${id}` },
    { ...charge, credits: rest, balance: 0, note: `export ${truncated.id}` },
    { kind: 'grant', credits: 50, balance: 50, note: 'invoice 7' },
  ])
  expect(entries).toHaveLength(4)
  const figures = await figuresOf(customer)
  expect(closing).toEqual({
    granted: figures.credits_granted,
    used: figures.credits_used,
    balance: figures.available_credits,
    reserved: figures.credits_reserved,
  })
  expect(closing).toEqual({ granted: 130, used: 80, balance: 50, reserved: 0 })
  expect(await statementOf(customer)).toContain(
    `${used} × export.row  create_export  export-whole  export ${id}\n`,
  )
  await service.expectConsistentBooks()
})
