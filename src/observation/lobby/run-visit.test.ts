import type { Rendered } from '@baize/renderer'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Customer } from '../../../test/harness/service.ts'
import { deferTurns } from '../../database/turns-store.ts'
import { type LobbyService, startLobbyService } from '../../features/lobbies/fixture.ts'
import { claimVisit } from '../../features/lobbies/index.ts'
import { runVisit } from './run-visit.ts'

let service: LobbyService
let customer: Customer
let sites = 0
beforeAll(async () => {
  service = await startLobbyService()
})
beforeEach(async () => {
  customer = await service.customer({ credits: 100 })
})
afterEach(() => service.expectConsistentBooks())
afterAll(() => service.close())

const titles = ['Otter Reels', 'Heron Spins', 'Lynx Gold', 'Badger Riches', 'Marten Club', 'Stoat Fever']
const tile = (title: string) =>
  `<li><a href="/game/${title}"><img src="/a.png" alt="${title}"></a><b>${title}</b></li>`
const lobby = `<title>Casino</title><h2>Slots</h2><ul>${titles.map(tile).join('')}</ul>`

function rendered(url: string, seen: Partial<Rendered> = {}): Rendered {
  const nothing = { headers: {}, chain: [], steps: [], frames: [], consoleErrors: [], requests: [] }
  const ended = { status: 200, truncated: false, reason: null, message: null }
  return { ...nothing, ...ended, finalUrl: url, dom: lobby, ...seen }
}

const failed = (reason: Rendered['reason'], message: string | null = null): Partial<Rendered> => ({
  reason,
  message,
  dom: null,
  finalUrl: null,
})

/** Starts a run, and returns its ref with a worker that works on its visit. */
async function started(seen: Partial<Rendered> = {}, onRender = () => {}) {
  const domain = `visited${++sites}.example`
  const { body } = await service.run(customer, { domain })
  const ref: string = body.data.lobby_run_ref
  const { database } = service.service.live
  const run = await database
    .selectFrom('lobby_runs')
    .select('visit_id')
    .where('run_ref', '=', ref)
    .executeTakeFirstOrThrow()
  const renderer = {
    async render({ url }: { url: string }) {
      onRender()
      return rendered(url, seen)
    },
  }
  const { now } = service.service
  const world = service.service.live
  const country = 'MT'
  const work = () =>
    runVisit(run.visit_id, { world, renderer, country, now, signal: new AbortController().signal })
  return { ref, domain, visitId: run.visit_id, work }
}

test('a visit stores the games that a browser shows, and charges once', async () => {
  const { ref, work } = await started()
  expect(await work()).toEqual({ status: 'completed', reason: null, games: 6 })
  const { body } = await service.show(customer, ref)
  expect(body.data.seen_from.country).toBe('MT')
  expect(body.data.games.map(({ title }: { title: string }) => title)).toEqual(titles)
  expect(await service.spent(customer)).toEqual({ used: 10, reserved: 0 })
})

test('a visit that a limit cut is partial, and charged', async () => {
  const { ref, work } = await started({ truncated: true })
  await work()
  expect((await service.show(customer, ref)).body.data.status).toBe('partial')
  expect(await service.spent(customer)).toEqual({ used: 10, reserved: 0 })
})

test('two workers with the same visit end it once, with one charge', async () => {
  const { work } = await started()
  await Promise.all([work(), work()])
  expect(await work()).toBe('ended')
  expect(await service.spent(customer)).toEqual({ used: 10, reserved: 0 })
})

test('a visit whose worker was killed after it began is ended by another, with one charge', async () => {
  const { visitId, work } = await started()
  await claimVisit(service.service.live.database, visitId, service.service.now())
  await work()
  expect(await service.spent(customer)).toEqual({ used: 10, reserved: 0 })
})

test('a second visit of a site waits until the first has ended', async () => {
  const { domain, work } = await started()
  const { body } = await service.run(customer, { domain, device: 'mobile' })
  const { now, live: world } = service.service
  const [{ visit_id: second } = { visit_id: 0 }] = await world.database
    .selectFrom('lobby_runs')
    .select('visit_id')
    .where('run_ref', '=', body.data.lobby_run_ref)
    .execute()
  const renderer = { render: async ({ url }: { url: string }) => rendered(url) }
  const next = () =>
    runVisit(second, { world, renderer, country: null, now, signal: new AbortController().signal })
  expect(await next()).toBe('waiting')
  await work()
  expect(await next()).toMatchObject({ status: 'completed' })
})

const nextTurnOf = async (host: string) =>
  (
    await service.service.live.database
      .selectFrom('outbound_turns')
      .select('next_at')
      .where('host', '=', host)
      .executeTakeFirstOrThrow()
  ).next_at

test('a visit starts when it is the turn of its site, after the requests of checks', async () => {
  const seenAt: number[] = []
  const { domain, work } = await started({}, () => void seenAt.push(Date.now()))
  const { database } = service.service.live
  await deferTurns(database, domain, 700)
  const turn = await nextTurnOf(domain)
  expect(await work()).toMatchObject({ status: 'completed' })
  expect(seenAt[0]).toBeGreaterThanOrEqual(turn.getTime())
})

test('a visit whose turn is too far away waits without a visit, and runs when it has come', async () => {
  const seenAt: number[] = []
  const { domain, work } = await started({}, () => void seenAt.push(Date.now()))
  const { database } = service.service.live
  await deferTurns(database, domain, 60_000)
  expect(await work()).toBe('waiting')
  expect(seenAt).toEqual([])
  await database.deleteFrom('outbound_turns').where('host', '=', domain).execute()
  expect(await work()).toMatchObject({ status: 'completed' })
})

describe('a failed visit costs nothing and says why', () => {
  test.each<[reason: string, seen: Partial<Rendered>]>([
    ['blocked', { status: 403, dom: '<h1>Forbidden</h1>' }],
    ['login_required', { dom: '<h1>Otter</h1><form><input type="password"></form><a href="/help">Help</a>' }],
    ['no_lobby_found', { dom: '<h1>Otter Ferries</h1><a href="/boats">Our boats</a>' }],
    ['timeout', failed('timeout')],
    ['page_too_large', failed('too_large')],
    ['unreachable', failed('unreachable', 'net::ERR_CONNECTION_REFUSED')],
    ['redirect_loop', failed('unreachable', 'net::ERR_TOO_MANY_REDIRECTS')],
    ['redirects_to_another_domain', { finalUrl: 'https://elsewhere.example/' }],
    ['not_a_site', failed('unreachable', 'the page is a file to download')],
    ['interrupted', failed('crashed')],
  ])('%s', async (reason, seen) => {
    const { ref, work } = await started(seen)
    await work()
    const { status, reason: shown } = (await service.show(customer, ref)).body.data
    expect([status, shown]).toEqual(['failed', reason])
    expect(await service.spent(customer)).toEqual({ used: 0, reserved: 0 })
  })
})
