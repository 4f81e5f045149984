import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type TestService } from '../../../test/harness/service.ts'
import { fullResult, listResult, target } from './fixture.ts'
import { type Cadence, createProspectList, deliverProspectList } from './index.ts'

const path = '/v1/prospect-lists'
const firstAt = new Date('2026-04-02T08:30:00.000Z')
const laterAt = new Date('2026-04-09T08:30:00.000Z')

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

async function delivered(cadence: Cadence) {
  const customer = await service.customer()
  const { live } = service.service
  const { accountRef } = customer
  const { prospect_list_ref: ref } = await createProspectList(live, accountRef, { cadence, now: firstAt })
  await deliverProspectList(live, ref, { result: fullResult, now: firstAt })
  const again = listResult(target('t9', { name: 'The newest' }))
  return {
    customer,
    ref,
    again,
    deliver: () => deliverProspectList(live, ref, { result: again, now: laterAt }),
  }
}

test.each(['weekly', 'continuous'] as const)(
  'a %s list is delivered again: its client gets the latest result under the same ref',
  async cadence => {
    const { customer, ref, again, deliver } = await delivered(cadence)
    await deliver()
    const { data } = (await customer.ask(`${path}/${ref}`)).body
    expect(data).toMatchObject({ status: 'ready', cadence, ready_at: laterAt.toISOString(), result: again })
    const { text } = await customer.ask(`${path}/${ref}/download`)
    expect(text.split('\r\n')[1]).toContain('The newest')
    expect((await customer.ask(path)).body.data.prospect_lists).toHaveLength(1)
  },
)

test('a one_time list is delivered once', async () => {
  const { ref, deliver } = await delivered('one_time')
  const which = 'a requested or preparing list, or a ready one that is weekly or continuous,'
  await expect(deliver()).rejects.toThrow(`${ref} is ready. Only ${which} can be delivered.`)
})
