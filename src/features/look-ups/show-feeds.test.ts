import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { type Person, signIn } from '../../../test/harness/sign-in.ts'
import { authorisation, fakeStream, fileOf, syncApproved } from '../../registers/fixture.ts'

let service: TestService
let customer: Customer
let member: Person
beforeAll(async () => {
  service = await startService({ world: 'demo_with_registers' })
  customer = await service.customer()
  member = await signIn(service, { accountRef: customer.accountRef, role: 'member' })
})
afterAll(() => service.close())

const path = '/dashboard/feeds'
const used = async () => (await customer.ask('/v1/account')).body.data.credits_used as number

test('bought Signals stay on the page, 20 more at a time, until a page has 60', async () => {
  const stream = fakeStream('italy.sites')
  for (const [number, sites] of [1, 71].entries()) {
    const rows = Array.from({ length: sites }, (_, index) => authorisation(`feed-${index}.example`))
    const at = new Date(Date.UTC(2026, 10, 20 + number))
    await syncApproved(service.service.live, stream, [fileOf(...rows)], { takenAt: at, now: at })
  }
  const at = `${path}?market=${stream.market}`
  const before = await used()
  const shown = async () => (await member.read(at)).body.data
  const rows = async () =>
    (await shown()).pages.flatMap(({ response }: { response: { signals: object[] } }) => response.signals)
  for (const count of [20, 40, 60]) {
    const { price, window, after } = await shown()
    expect(price).toBe(20)
    const { occurred_from, occurred_to } = window
    const fields = {
      market: stream.market,
      occurred_from,
      occurred_to,
      max_credits: '20',
      ...(after && { after }),
    }
    const nonce = /name="nonce" value="([^"]+)"/.exec((await member.get(at)).text)?.[1] ?? ''
    expect((await member.post(path, { nonce, ...fields })).status).toBe(303)
    expect([(await rows()).length, (await used()) - before]).toEqual([count, count])
  }
  const { is_full: isFull, price, after, window } = await shown()
  expect([isFull, price]).toEqual([true, 10])
  const next = await member.read(`${at}&until=${window.occurred_to}&after=${encodeURIComponent(after)}`)
  expect([next.body.data.pages, next.body.data.price > 0]).toEqual([[], true])
  expect(await used()).toBe(before + 60)
})
