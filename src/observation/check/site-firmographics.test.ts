import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadScenarios } from '../../../test/small-internet/scenario.ts'
import {
  type CheckingService,
  startCheckingService,
} from '../../../test/small-internet/start-checking-service.ts'
import { verifyAll } from '../../verify/index.ts'

const domain = 'stating.example'
let service: CheckingService
let worker: { stop(): Promise<void> }
beforeAll(async () => {
  service = await startCheckingService(loadScenarios().filter(each => each.domain === domain))
  worker = await service.startWorker()
})
afterAll(async () => {
  await worker.stop()
  await service.close()
})

test('a refresh of firmographics reads the organisation that the site states', async () => {
  const customer = await service.customer({ credits: 15 })
  const query = `domain=${domain}&include[]=firmographics&max_age_days=0`
  const { status, body } = await customer.ask(`/v1/companies/resolve?${query}`)
  expect([status, body.errors]).toEqual([200, undefined])
  const [result] = body.data.companies[0].firmographics
  expect(result).toMatchObject({
    available: true,
    cached: false,
    stale: false,
    refresh: { attempted: true, status: 'completed', reason: null },
    data: {
      name: 'Stating Gaming Limited',
      founded_year: 2014,
      employee_count: null,
      company_size: [11, 50],
      website: `https://${domain}/`,
    },
  })
  expect(body.data.credits_charged).toBe(15)
  await service.expectConsistentBooks()
  const { checks } = await verifyAll(service.service.live, service.database.connection)
  expect(checks.filter(({ differences }) => differences.length > 0)).toEqual([])
})
