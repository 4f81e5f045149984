import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertFindings, registration } from '../enrichments/fixture.ts'
import { claimCheck, finishCheck, startBackgroundCheck } from '../enrichments/index.ts'
import { type ExportService, startExportService } from './fixture.ts'

let service: ExportService
beforeAll(async () => {
  service = await startExportService()
})
afterAll(() => service.close())

/** Without an account: as a background refresh, which found the site registered. */
async function check(domain: string): Promise<void> {
  const { database } = service.service.live
  const now = new Date()
  await database.transaction().execute(async tx => {
    const started = await startBackgroundCheck(tx, { domain, askedBy: 'refresh', now })
    const claimed = await claimCheck(tx, started?.checkId as number, now)
    if (claimed === null) throw new Error('the check is finished already')
    const readingId = await insertFindings(tx, claimed.checkId, [registration])
    await finishCheck(tx, claimed, { failure: null, readingId, now })
  })
}

type Row = { operator_launch_profile: { availability: string } }

test('rows with an available launch profile cost 5 more, others do not', async () => {
  await check('luckyotter.example')
  const customer = await service.customer({ plan: 'starter', credits: 10_000 })
  const body = { export_format: 'json', fields: ['operator_launch_profile'] }
  const { id, credits_used: used } = await service.exported(customer, body)
  const rows: Row[] = (await service.download(customer, id)).body
  const available = rows.filter(row => row.operator_launch_profile.availability === 'available').length
  expect(available).toBe(1)
  expect(used).toBe(rows.length + 5)
  expect((await customer.ask('/v1/account')).body.data.credits_used).toBe(used)
  await service.expectConsistentBooks()
})
