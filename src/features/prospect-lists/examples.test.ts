import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { contact, listResult, target } from './fixture.ts'
import { createProspectList, deliverProspectList, prepareProspectList } from './index.ts'
import listed from './list-prospect-lists.example.json' with { type: 'json' }
import shown from './show-prospect-list.example.json' with { type: 'json' }

// These examples are written by hand, because the demo key has no lists for `npm run generate`.

const answeredAt = new Date('2026-11-01T12:00:00.000Z')
const day = (date: string) => new Date(`${date}T09:00:00.000Z`)

const found = listResult(
  target('target_1', {
    name: 'Lucky Otter',
    website: 'https://luckyotter.example',
    candidate_organizations: [{ name: 'Ottermoor Gaming Limited', role: 'licensee' }],
    licences: [{ jurisdiction: 'ukgc', licence_number: '70001', licence_type: 'Remote Casino' }],
    brands: ['Lucky Otter', 'Otter Royale'],
    key_contacts: [
      contact('contact_1', { name: 'Ada Example', contact_channels: ['ada@luckyotter.example'] }),
      contact('contact_2', {
        name: 'Bo Example',
        role: null,
        professional_profile_url: null,
        contact_channels: ['bo@luckyotter.example'],
      }),
    ],
  }),
)
const result = { ...found, executive_summary: 'One operator fits, and decides on payments in Malta.' }

let service: TestService
let customer: Customer
let ref: string
beforeAll(async () => {
  service = await startService({ now: () => answeredAt })
  customer = await service.customer()
  const world = service.service.live
  const { accountRef } = customer
  ref = (await createProspectList(world, accountRef, { cadence: 'one_time', now: day('2026-10-05') }))
    .prospect_list_ref
  await deliverProspectList(world, ref, { result, now: day('2026-10-12') })
  const weekly = await createProspectList(world, accountRef, { cadence: 'weekly', now: day('2026-10-26') })
  await prepareProspectList(world, weekly.prospect_list_ref)
})
afterAll(() => service.close())

/** Replaces random refs by the fixed refs of the examples. */
function withFixedRefs(text: string): unknown {
  const refs = [...new Set(text.match(/pl_[0-9A-Za-z]{20}/g))].sort((one, other) =>
    one === ref ? -1 : other === ref ? 1 : 0,
  )
  return JSON.parse(
    refs.reduce((all, each, index) => all.replaceAll(each, `pl_${String(index + 1).repeat(20)}`), text),
  )
}

test('the documented page of lists is a real answer', async () => {
  expect(withFixedRefs((await customer.ask('/v1/prospect-lists')).text)).toEqual(listed)
})

test('the documented list is a real answer', async () => {
  expect(withFixedRefs((await customer.ask(`/v1/prospect-lists/${ref}`)).text)).toEqual(shown)
})
