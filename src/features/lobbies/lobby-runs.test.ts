import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { declaredData } from '../../../test/harness/declared-schema.ts'
import type { Customer, Response } from '../../../test/harness/service.ts'
import { demoKey } from '../../core/api-key.ts'
import { type LobbyService, startLobbyService } from './fixture.ts'

let service: LobbyService
let customer: Customer
let moment = Date.parse('2026-11-20T08:00:00Z')
const minuteMs = 60_000
const misfits = {
  created: declaredData('create_lobby_run'),
  shown: declaredData('show_lobby_run'),
  listed: declaredData('list_lobby_runs'),
  changes: declaredData('list_lobby_changes'),
}

beforeAll(async () => {
  service = await startLobbyService({ now: () => new Date(moment) })
})
beforeEach(async () => {
  customer = await service.customer({ credits: 100 })
  await service.reportRenderer('on')
})
afterEach(async () => {
  await service.end({ reason: 'blocked' })
  await service.expectConsistentBooks()
})
afterAll(() => service.close())

let sites = 0
const newSite = () => `lobby${++sites}.example`
const code = ({ status, body }: Response) => [status, body.errors?.code]
const titles = ['Otter Reels', 'Heron Spins', 'Lynx Gold']

async function started(of: Customer, body: object, headers: Record<string, string> = {}) {
  const response = await service.run(of, body, headers)
  expect(response.status, response.text).toBe(202)
  expect(misfits.created(response.body.data)).toBeNull()
  return response.body.data
}

async function shown(of: Customer, ref: string) {
  const { status, body } = await service.show(of, ref)
  expect(status).toBe(200)
  expect(misfits.shown(body.data)).toBeNull()
  return body.data
}

describe('POST /v1/lobby-runs', () => {
  test('a lobby run reserves 10 credits, which are charged when it ends with a game', async () => {
    const site = newSite()
    const run = await started(customer, {
      domain: `https://www.${site}/`,
      suppliers: ['Velvet Anvil', 'Tin Heron'],
    })
    const ref = run.lobby_run_ref
    expect(run).toEqual({
      lobby_run_ref: expect.stringMatching(/^lr_/),
      domain: site,
      status: 'queued',
      credits_quoted: 10,
      credits_charged: 0,
      poll_url: `/v1/lobby-runs/${ref}`,
    })
    expect(await service.spent(customer)).toEqual({ used: 0, reserved: 10 })
    await service.end(titles)
    expect(await service.spent(customer)).toEqual({ used: 10, reserved: 0 })
    expect(await shown(customer, ref)).toMatchObject({
      domain: site,
      status: 'completed',
      reason: null,
      credits_charged: 10,
      titles_seen: 3,
      titles_above_fold: 2,
      seen_from: { device: 'desktop', viewport: '1366x900', final_url: `https://${site}/casino` },
      sections: [{ name: 'Slots', kind: 'category', order: 1, games_seen: 3, is_complete: true }],
      shares: [
        { supplier_slug: 'velvet-anvil', games: 2, share: 0.6667, share_above_fold: 0.5, best_position: 1 },
      ],
      absent: [{ supplier: 'Tin Heron', seen: false }],
    })
  })

  test('a failed run costs nothing, and says why', async () => {
    const { lobby_run_ref: ref } = await started(customer, { domain: newSite() })
    await service.end({ reason: 'login_required' })
    expect(await service.spent(customer)).toEqual({ used: 0, reserved: 0 })
    expect(await shown(customer, ref)).toMatchObject({
      status: 'failed',
      reason: 'login_required',
      credits_charged: 0,
      games: [],
      seen_from: null,
    })
  })

  test('a run that another account joins visits once, and costs each account 10', async () => {
    const other = await service.customer({ credits: 100 })
    const domain = newSite()
    const [own, joined] = [await started(customer, { domain }), await started(other, { domain })]
    expect([own.credits_quoted, joined.credits_quoted]).toEqual([10, 10])
    await service.end(titles)
    expect([await service.spent(customer), await service.spent(other)]).toEqual([
      { used: 10, reserved: 0 },
      { used: 10, reserved: 0 },
    ])
    expect((await service.show(other, own.lobby_run_ref)).status).toBe(404)
    expect((await shown(other, joined.lobby_run_ref)).games).toHaveLength(3)
  })

  test('a repeat of an account gets its own run free: while it is open, and for an hour', async () => {
    const domain = newSite()
    const first = await started(customer, { domain })
    expect(await started(customer, { domain })).toMatchObject({
      lobby_run_ref: first.lobby_run_ref,
      credits_quoted: 0,
    })
    await service.end(titles)
    moment += 59 * minuteMs
    await service.reportRenderer('on')
    expect(await started(customer, { domain })).toMatchObject({ status: 'completed', credits_quoted: 0 })
    expect(await started(customer, { domain, device: 'mobile' })).toMatchObject({ credits_quoted: 10 })
    expect(await started(customer, { domain, max_age_minutes: 0 })).toMatchObject({ credits_quoted: 10 })
    await service.end(titles)
    expect(await service.spent(customer)).toEqual({ used: 30, reserved: 0 })
  })

  test('a lobby that failed is visited again after five minutes at the earliest', async () => {
    const domain = newSite()
    await started(customer, { domain })
    await service.end({ reason: 'blocked' })
    moment += 4 * minuteMs
    expect(await started(customer, { domain })).toMatchObject({ status: 'failed', credits_quoted: 0 })
    moment += 2 * minuteMs
    await service.reportRenderer('on')
    expect(await started(customer, { domain })).toMatchObject({ status: 'queued', credits_quoted: 10 })
  })

  test('after 20 failed runs within a day the answer is 429, and nothing is reserved', async () => {
    const many = await service.customer({ credits: 1_000 })
    for (let run = 0; run < 20; run++) await started(many, { domain: newSite() })
    await service.end({ reason: 'unreachable' })
    const refused = await service.run(many, { domain: newSite() })
    expect(code(refused)).toEqual([429, 'lobby_runs_failed'])
    expect(await service.spent(many)).toEqual({ used: 0, reserved: 0 })
  })

  test('without a browser the answer is 503 before anything is reserved', async () => {
    await service.reportRenderer('unavailable')
    const refused = await service.run(customer, { domain: newSite() })
    expect(code(refused)).toEqual([503, 'renderer_unavailable'])
    expect(refused.body.errors.details).toEqual({ state: 'unavailable', reason: 'not_found' })
    expect(await service.spent(customer)).toEqual({ used: 0, reserved: 0 })
  })

  test('a run that the balance does not cover is 429, and one above max_credits is 402', async () => {
    const poor = await service.customer({ credits: 9 })
    expect(code(await service.run(poor, { domain: newSite() }))).toEqual([429, 'quota_exceeded'])
    expect(code(await service.run(customer, { domain: newSite(), max_credits: 9 }))).toEqual([
      402,
      'max_credits_exceeded',
    ])
  })

  test('a retry with its Idempotency-Key gets the same run, and another lobby with it is 409', async () => {
    const domain = newSite()
    const headers = { 'idempotency-key': `key-${domain}` }
    const first = await started(customer, { domain }, headers)
    expect((await started(customer, { domain }, headers)).lobby_run_ref).toBe(first.lobby_run_ref)
    expect(code(await service.run(customer, { domain: newSite() }, headers))).toEqual([
      409,
      'idempotency_key_reused',
    ])
    expect(await service.spent(customer)).toEqual({ used: 0, reserved: 10 })
  })

  test('a retry whose first answer was lost says that a failed run costs nothing', async () => {
    const domain = newSite()
    const headers = { 'idempotency-key': `key-${domain}` }
    const first = await started(customer, { domain }, headers)
    await service.end({ reason: 'blocked' })
    await service.service.live.database
      .deleteFrom('idempotency_records')
      .where('idempotency_key', '=', headers['idempotency-key'])
      .execute()
    expect(await started(customer, { domain }, headers)).toMatchObject({
      lobby_run_ref: first.lobby_run_ref,
      status: 'failed',
      credits_quoted: 0,
    })
  })

  test.each([
    ['a domain that is none', { domain: 'nothing' }, 400, 'invalid_domain'],
    [
      'a page of another site',
      { domain: 'otter.example', url: 'https://heron.example/' },
      400,
      'invalid_parameter',
    ],
    ['a page without a scheme', { domain: 'otter.example', url: 'casino' }, 400, 'invalid_parameter'],
  ])('%s is refused', async (_what, body, status, refused) => {
    expect(code(await service.run(customer, body))).toEqual([status, refused])
  })

  test('100 simultaneous requests of ten accounts make one visit and one charge an account', async () => {
    const domain = newSite()
    const accounts = await Promise.all(Array.from({ length: 10 }, () => service.customer({ credits: 100 })))
    const answers = await Promise.all(
      accounts.map(each => Promise.all(Array.from({ length: 10 }, () => service.run(each, { domain })))),
    )
    await service.end(titles)
    const spent = await Promise.all(accounts.map(each => service.spent(each)))
    // On a busy machine a request may end as 503, which charges nothing.
    const statuses = answers.map(ofAccount => ofAccount.map(({ status }) => status))
    expect(statuses.flat().filter(status => status !== 202 && status !== 503)).toEqual([])
    expect(statuses.flat()).toContain(202)
    expect(spent).toEqual(statuses.map(each => ({ used: each.includes(202) ? 10 : 0, reserved: 0 })))
  })
})

describe('runs', () => {
  test('runs are listed by page, the newest first, and only those of the account', async () => {
    const domain = newSite()
    const many = await service.customer({ credits: 1_000 })
    for (let run = 0; run < 25; run++) {
      moment += minuteMs
      await service.reportRenderer('on')
      await started(many, { domain, max_age_minutes: 0 })
      await service.end(titles)
    }
    await started(many, { domain: newSite() })
    const first = (await many.ask(`/v1/lobby-runs?domain=${domain}`)).body.data
    expect(misfits.listed(first)).toBeNull()
    const second = (await many.ask(`/v1/lobby-runs?domain=${domain}&after=${first.next_cursor}`)).body.data
    expect([first.lobby_runs.length, second.lobby_runs.length, second.has_more]).toEqual([20, 5, false])
    const times = [...first.lobby_runs, ...second.lobby_runs].map(({ requested_at: at }) => at)
    expect(times).toEqual(times.toSorted().reverse())
    expect((await many.ask('/v1/lobby-runs')).body.data.lobby_runs[0].domain).not.toBe(domain)
    expect((await customer.ask('/v1/lobby-runs')).body.data.lobby_runs).toEqual([])
  })

  test.each<[string, number, string]>([
    [`domain=nothing`, 400, 'invalid_domain'],
    ['after=nonsense', 400, 'invalid_cursor'],
  ])('a list with %s is %i', async (query, status, refused) => {
    expect(code(await customer.ask(`/v1/lobby-runs?${query}`))).toEqual([status, refused])
  })

  test('two runs of a lobby show what entered, left and moved', async () => {
    const domain = newSite()
    const first = await started(customer, { domain })
    await service.end(['a', 'b', 'c', 'd'])
    const second = await started(customer, { domain, max_age_minutes: 0 })
    await service.end(['x', 'd', 'a', 'b'])
    const path = `/v1/lobby-runs/${second.lobby_run_ref}/changes`
    const { body } = await customer.ask(`${path}?since=${first.lobby_run_ref}`)
    expect(misfits.changes(body.data)).toBeNull()
    const { entered, left, moved } = body.data
    expect([entered, left, moved].map(each => each.map(({ title }: { title: string }) => title))).toEqual([
      ['x'],
      ['c'],
      ['d'],
    ])
    const elsewhere = await started(customer, { domain: newSite() })
    await service.end(['a'])
    expect(code(await customer.ask(`${path}?since=${elsewhere.lobby_run_ref}`))).toEqual([
      422,
      'unprocessable_body',
    ])
    expect(code(await customer.ask(`${path}?since=lr_missing`))).toEqual([404, 'not_found'])
  })

  test('a missing run and a run of another account are the same 404', async () => {
    const { lobby_run_ref: ref } = await started(customer, { domain: newSite() })
    const other = await service.customer()
    const [missing, foreign] = [await service.show(other, 'lr_missing'), await service.show(other, ref)]
    expect([code(missing), code(foreign)]).toEqual([
      [404, 'not_found'],
      [404, 'not_found'],
    ])
    expect(foreign.body.message).toBe(missing.body.message)
  })

  test('the demo has a finished run, and its POST answers with it', async () => {
    const demo = service.ask
    const headers = { authorization: `Bearer ${demoKey}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ domain: 'luckyotter.example' })
    const run = await demo('/v1/lobby-runs', { method: 'POST', headers, body })
    expect(run.status).toBe(202)
    const { body: answer } = await demo(run.body.data.poll_url, { headers })
    expect(answer.data).toMatchObject({ status: 'completed', titles_seen: 28, simulated: true })
    expect(answer.data.shares[0].supplier_slug).toBe('velvet-anvil')
  })
})
