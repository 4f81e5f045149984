import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../test/harness/eventually.ts'
import { type Customer, type Response, startService, type TestService } from '../../test/harness/service.ts'

let service: TestService
let customer: Customer
beforeAll(async () => {
  service = await startService({ eventLoopDelayMsMax: 20 })
  customer = await service.customer()
})
afterAll(() => service.close())

/** Blocks the process for this time. */
function occupy(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

let delivered = 0

/**
 * Asks for a verdict until the answer has this status. Before each request the process is blocked for a
 * while.
 */
async function verdictOnce(status: number, occupiedMs: number): Promise<Response> {
  let answer: Response | undefined
  await eventually(`it answers ${status}`, async () => {
    occupy(occupiedMs)
    answer = await customer.ask('/v1/domains/resolve?domain=luckyotter.example')
    if (answer.status === 200) delivered += 1
    return answer.status === status
  })
  return answer as Response
}

test('an overloaded process refuses requests without a charge, and is still healthy', async () => {
  const refused = await verdictOnce(503, 100)
  expect(refused.body).toMatchObject({
    success: false,
    message: 'The service is overloaded; nothing was charged. Try again.',
    errors: { code: 'service_unavailable' },
  })
  expect([refused.headers.get('retry-after'), refused.headers.get('x-request-id')]).toEqual([
    '5',
    expect.stringMatching(/^[0-9A-Za-z]{16}$/),
  ])
  occupy(100)
  expect((await service.ask('/healthz')).status).toBe(200)

  const answered = await verdictOnce(200, 0)
  expect(answered.headers.get('x-credits-charged')).toBe('1')
  expect((await customer.ask('/v1/account')).body.data.credits_used).toBe(delivered)
})
