import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { catalogue } from '../../catalogue.ts'
import type { DemoTemplate } from '../../core/operation.ts'
import { grantCredits } from '../../features/account/index.ts'
import { verifyAll } from '../../verify/index.ts'
import { templatePath } from './demo-templates.ts'

const resolve = '/v1/domains/resolve'
const one = `${resolve}?domain=casino.example`

let service: TestService
/** A Company of the demo templates has another ref in the data of customers. */
let ottermoor: string
beforeAll(async () => {
  service = await startService({ world: 'demo_with_registers' })
  const { body } = await (await service.customer()).ask(`${resolve}?domain=luckyotter.example`)
  ottermoor = body.data.company.company_ref
})
afterAll(() => service.close())

async function figures(customer: Customer): Promise<Record<string, number>> {
  return (await customer.ask('/v1/account')).body.data
}

async function expectTrueBooks(): Promise<void> {
  const { ok, checks } = await verifyAll(service.service.live)
  expect(checks.filter(check => check.differences.length > 0)).toEqual([])
  expect(ok).toBe(true)
}

describe('a balance', () => {
  test('a balance of 25 credits serves 25 of 300 simultaneous requests, and is never negative', async () => {
    const customer = await service.customer({ credits: 25 })
    const asked = Array.from({ length: 300 }, (_, index) =>
      customer.ask(`${resolve}?domain=site-${index}.example`),
    )
    const watched: Record<string, number>[] = []
    let done = false
    const watching = (async () => {
      while (!done) watched.push(await figures(customer))
    })()
    const answers = await Promise.all(asked).finally(() => {
      done = true
    })
    await watching
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(25)
    expect(
      answers.filter(({ status, body }) => status === 429 && body.errors.code === 'quota_exceeded'),
    ).toHaveLength(275)
    expect(
      watched.every(each => (each.credits_used ?? -1) <= 25 && (each.available_credits ?? -1) >= 0),
    ).toBe(true)
    const remaining = answers.flatMap(({ headers }) => headers.get('x-credits-remaining') ?? []).map(Number)
    expect(remaining.every(left => left >= 0)).toBe(true)
    expect(await figures(customer)).toMatchObject({
      credits_used: 25,
      available_credits: 0,
      credits_reserved: 0,
    })
    await expectTrueBooks()
  })

  test('many requests of one account do not use the balance of another account', async () => {
    const [poor, rich] = await Promise.all([
      service.customer({ credits: 3 }),
      service.customer({ credits: 100 }),
    ])
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => (index % 2 ? poor : rich).ask(one)),
    )
    const served = (rest: number) =>
      answers.filter(({ status }, index) => index % 2 === rest && status === 200).length
    expect([served(1), served(0)]).toEqual([3, 30])
    expect([(await figures(poor)).credits_used, (await figures(rich)).credits_used]).toEqual([3, 30])
    await expectTrueBooks()
  })

  test('an account on the plan internal has no limit, but its credits are counted', async () => {
    const staff = await service.customer({ plan: 'internal' })
    const answers = await Promise.all(Array.from({ length: 10 }, () => staff.ask(one)))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(answers[0]?.headers.get('x-credits-charged')).toBe('1')
    expect(answers[0]?.headers.get('x-credits-remaining')).toBeNull()
    expect((await figures(staff)).credits_used).toBe(10)
  })
})

describe('quota_exceeded', () => {
  test('quota_exceeded has the credits needed, no data, and stops blind retries (§7 rule 1)', async () => {
    const customer = await service.customer({ credits: 2 })
    for (const _ of [1, 2]) expect((await customer.ask(one)).status).toBe(200)
    const { status, body, headers } = await customer.ask(one)
    expect(status).toBe(429)
    expect(body).toEqual({
      success: false,
      message: 'The credit balance is exhausted: it does not cover the required 1 credit.',
      errors: { code: 'quota_exceeded', details: { granted: 2, used: 2, reserved: 0, required: 1 } },
      doc_url: 'http://baize.test/docs/errors/quota_exceeded',
      timestamp: expect.any(String),
    })
    expect(headers.get('x-should-retry')).toBe('false')
    expect(headers.get('retry-after')).toBeNull()
  })

  /** The demo key alone has these records, and a past. Their own tests have the refusals. */
  const ofDemo = ['Lobby monitor', 'Portfolios']
  const ofOtherDays = /"(as_of|known_at)"/
  const priced = catalogue
    .filter(({ prices, tag }) => prices.length > 0 && !ofDemo.includes(tag))
    .flatMap(operation => operation.demo.map(template => ({ ...operation, template })))
    .filter(({ template }) => !ofOtherDays.test(JSON.stringify(template)))

  test.each(priced)(
    'quota_exceeded of $name ($template.title) names the `required` credits, which suffice',
    async operation => {
      const { method, success } = operation
      const template: DemoTemplate = JSON.parse(
        JSON.stringify(operation.template).replace(/co_[0-9a-f]{20}/, ottermoor),
      )
      const ask = (customer: Customer) =>
        customer.ask(templatePath(operation.path, template), {
          method,
          ...(template.body === undefined
            ? {}
            : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(template.body) }),
        })
      const customer = await service.customer({ credits: 0 })
      const { status, body } = await ask(customer)
      if (status !== 429) {
        expect([status, body.data.credits_charged]).toEqual([200, 0])
        return
      }
      const { required, ...balance } = body.errors.details
      expect(balance).toEqual({ granted: 0, used: 0, reserved: 0 })
      expect(Number.isSafeInteger(required) && required > 0).toBe(true)
      if (operation.name !== 'create_export') {
        const short = await service.customer({ credits: required - 1 })
        expect((await ask(short)).body.errors?.details).toMatchObject({ required })
      }
      await grantCredits(service.service.live, customer.accountRef, {
        credits: required,
        note: 'as required',
      })
      const { status: bought, body: answer } = await ask(customer)
      expect(bought).toBe(success?.status ?? 200)
      if (operation.name === 'create_export') expect(answer.data.quoted_credits).toBe(required)
      else expect((await figures(customer)).credits_used).toBeLessThanOrEqual(required)
    },
  )

  test('a grant ends quota_exceeded, and granted credits add up', async () => {
    const customer = await service.customer({ credits: 1 })
    await customer.ask(one)
    expect((await customer.ask(one)).status).toBe(429)
    await grantCredits(service.service.live, customer.accountRef, { credits: 2, note: 'paid' })
    expect((await customer.ask(one)).status).toBe(200)
    expect(await figures(customer)).toMatchObject({
      credits_granted: 3,
      credits_used: 2,
      available_credits: 1,
    })
    await expectTrueBooks()
  })

  test('every other error of a priced operation reports a charge of 0 and the balance', async () => {
    const customer = await service.customer({ credits: 5 })
    const key = { 'idempotency-key': 'refused' }
    expect((await customer.ask(one, { headers: key })).status).toBe(200)
    const refusals: [number, string, Record<string, string>][] = [
      [400, '/v1/domains/resolve', {}],
      [400, `${one}&no_such=1`, {}],
      [402, `${one}&max_credits=0`, {}],
      [404, '/v1/companies/resolve?company_ref=co_nobody', {}],
      [409, '/v1/domains/resolve?domain=other.example', key],
    ]
    for (const [expected, path, headers] of refusals) {
      const answer = await customer.ask(path, { headers })
      const credits = ['x-credits-charged', 'x-credits-remaining'].map(name => answer.headers.get(name))
      expect([answer.status, ...credits], path).toEqual([expected, '0', '4'])
    }
    const unknown = await service.ask(one, { key: 'client_nobody' })
    expect([unknown.status, unknown.headers.get('x-credits-remaining')]).toEqual([401, null])
  })

  test('an account without credits can use all free operations', async () => {
    const customer = await service.customer({ credits: 0 })
    expect((await customer.ask('/v1/account')).status).toBe(200)
    const nothing = await customer.ask('/v1/domains/search?verdict=mixed&geo=peru')
    expect([nothing.status, nothing.headers.get('x-credits-charged')]).toEqual([200, '0'])
  })
})
