import { afterAll, beforeAll, expect, test } from 'vitest'
import { observationSections } from '../domains/index.ts'
import { insertFindings, registration } from '../enrichments/fixture.ts'
import { claimCheck, finishCheck, startBackgroundCheck } from '../enrichments/index.ts'
import { suppressPerson } from '../people/index.ts'
import { type ExportService, startExportService } from './fixture.ts'

let service: ExportService
beforeAll(async () => {
  service = await startExportService()
})
afterAll(() => service.close())

const address = (local: string) => ({
  section: 'public_contacts',
  value_key: `email ${local}@luckyotter.example`,
  value: { type: 'email', value: `${local}@luckyotter.example` },
})

/** Completes a background check, which found the site registered and with two addresses. */
async function check(domain: string): Promise<void> {
  const { database } = service.service.live
  const now = new Date()
  await database.transaction().execute(async tx => {
    const started = await startBackgroundCheck(tx, { domain, askedBy: 'refresh', now })
    const claimed = await claimCheck(tx, started?.checkId as number, now)
    if (claimed === null) throw new Error('the check is finished already')
    const readingId = await insertFindings(tx, claimed.checkId, [
      registration,
      address('ann'),
      address('support'),
    ])
    await finishCheck(tx, claimed, { failure: null, readingId, now })
  })
}

type Row = { operator_launch_profile: { availability: string } }

test('export rows with an available launch profile cost 5 more credits than other rows', async () => {
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

test('an export has no suppressed address in any section', async () => {
  await check('luckyotter.example')
  const erased = { email: 'ann@luckyotter.example', reason: 'they asked', now: new Date() }
  await suppressPerson(service.service.live, erased)
  const customer = await service.customer({ plan: 'starter', credits: 100_000 })
  for (const section of observationSections) {
    const { id, status } = await service.exported(customer, { export_format: 'json', fields: [section] })
    expect([section, status]).toEqual([section, 'completed'])
    const { text, body } = await service.download(customer, id)
    expect(body.filter((row: object) => section in row)).toHaveLength(body.length)
    expect(body.length).toBeGreaterThan(100)
    if (section !== 'operator_launch_profile') continue
    expect(text).toContain('support@luckyotter.example')
    expect(text).not.toContain('ann@luckyotter.example')
  }
})
