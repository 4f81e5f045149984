import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startChild } from '../../../test/harness/child.ts'
import type { Customer } from '../../../test/harness/service.ts'
import { type ExportService, startExportService } from './fixture.ts'

let service: ExportService
let customer: Customer

beforeAll(async () => {
  service = await startExportService()
})
beforeEach(async () => {
  customer = await service.customer({ credits: 100_000 })
})
afterEach(() => service.expectConsistentBooks())
afterAll(() => service.close())

const kills = 5
const body = { export_format: 'json', fields: ['licenses', 'payment_methods'] }

/** Writes an export in a child process that is killed at the given step. Returns null if it was killed. */
function writeInChild(id: number, moment: number): Promise<{ moments: number } | null> {
  const child = startChild<{ moments: number }>(
    'export-until-killed.ts',
    JSON.stringify(service.database.connection),
    service.folderPath,
    String(id),
    String(moment),
  )
  return child.hello.catch(() => null)
}

async function storedFiles(): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of service.store.folder.list('exports')) names.push(name)
  return names
}

async function referencedFiles(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select file_name as name from exports where file_name is not null`.execute(service.service.live.database)
  return rows.map(row => row.name)
}

const queue = async () => (await service.post(customer, body)).body.data.export_id as number
const figures = async () => (await customer.ask('/v1/account')).body.data

test('an export whose worker is killed at any step has one file and one charge after a retry', async () => {
  const throughout = await writeInChild(await queue(), 0)
  const moments = throughout?.moments ?? 0
  expect(moments).toBeGreaterThan(20)
  const { credits_used: price } = await figures()
  expect(price).toBeGreaterThan(100)

  const moment = fc.integer({ min: 1, max: moments })
  await fc.assert(
    fc.asyncProperty(fc.array(moment, { minLength: 1, maxLength: 2 }), async killedAt => {
      customer = await service.customer({ credits: price + 5 })
      const id = await queue()
      for (const each of killedAt) await writeInChild(id, each)
      await service.write()
      const record = (await customer.ask(`/v1/exports/${id}`)).body.data
      const rows = JSON.parse((await service.download(customer, id)).text)
      expect(record).toMatchObject({ credits_used: price, total_rows: price, truncated_by: null })
      expect(rows).toHaveLength(price)
      expect(await figures()).toMatchObject({ credits_used: price, credits_reserved: 0 })
      await service.expectConsistentBooks()
      expect((await storedFiles()).sort()).toEqual((await referencedFiles()).sort())
    }),
    { numRuns: kills, endOnFailure: true },
  )
})
