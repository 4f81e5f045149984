import type { Renderer } from '@baize/renderer'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hasChromium } from '../../packages/renderer/fixture.ts'
import { groupUsage } from '../../packages/renderer/group-usage.ts'
import { takeDatabaseAway } from '../../test/harness/cut-database.ts'
import { eventually } from '../../test/harness/eventually.ts'
import type { Customer } from '../../test/harness/service.ts'
import {
  casinoWith,
  chromiumsOf,
  drawnPage,
  drawnSite,
  gameTitles,
  lobbyOf,
} from '../../test/small-internet/drawn-sites.ts'
import {
  type CheckingService,
  startCheckingService,
} from '../../test/small-internet/start-checking-service.ts'
import { readSettings } from '../config/settings.ts'
import { verifyLobbyRuns } from '../features/lobbies/index.ts'
import { reportRenderer } from '../features/renderers/index.ts'
import { openPageRenderer } from '../instance/open-page-renderer.ts'
import { lookSettingsOf } from '../instance/tasks/check-tasks.ts'
import { openLookTools, runCheck, runVisit } from './index.ts'

/** The page shows nothing until its request is answered. */
const slow = { '/slow': { text: 'slow', delay_ms: 1_000 } }
const waiting = "await fetch('/slow')"

describe.skipIf(!hasChromium)('a visit whose database goes away', () => {
  let service: CheckingService
  let customer: Customer
  let settings: ReturnType<typeof readSettings>

  beforeAll(async () => {
    const casino = drawnPage(casinoWith('Visa and Skrill'), waiting)
    const lobby = drawnPage(lobbyOf(gameTitles), waiting)
    service = await startCheckingService(
      [
        ...['cut', 'away'].map(name =>
          drawnSite(`${name}.example`, { '/': { html: casino }, ...slow }, { licensed: true }),
        ),
        ...['cut-lobby', 'away-lobby'].map(name =>
          drawnSite(`${name}.example`, { '/': { html: lobby }, ...slow }),
        ),
      ],
      { RENDER: 'on' },
    )
    settings = readSettings({ ...service.internet.environment, RENDER: 'on' })
    customer = await service.customer({ credits: 1_000 })
  })
  beforeEach(async () => {
    // A report counts for five minutes, and a busy machine may need longer.
    const counts = { renders: 0, failed: 0, killed: 0, processes: 0, last_failure: null }
    const on = { worker: 'test', state: 'on', reason: null, message: null, ...counts } as const
    await reportRenderer(service.service.live.database, on, service.service.now())
  })
  afterAll(() => service?.close())

  async function start(path: string, domain: string): Promise<string> {
    const { status, body } = await customer.ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ domain }),
    })
    expect(status, JSON.stringify(body)).toBe(202)
    return body.data.poll_url
  }
  async function spent() {
    const { credits_used: used, credits_reserved: reserved } = (await customer.ask('/v1/account')).body.data
    return { used, reserved }
  }
  const isOpen = (domain: string) => () =>
    service.internet.requestsTo(domain).some(({ path }) => path === '/slow')

  /** Waits for the end, and expects one charge. */
  async function expectOneEnd(poll: string, used: number) {
    const ended = await eventually(
      'it ends',
      async () => {
        const { body } = await customer.ask(poll)
        return !['queued', 'running'].includes(body.data.status) && body.data
      },
      200_000,
    )
    expect(ended.status, JSON.stringify(ended)).toBe('completed')
    expect(await spent()).toEqual({ used: used + 10, reserved: 0 })
    await service.expectConsistentBooks()
    expect(await verifyLobbyRuns(service.service.live.database)).toEqual([])
  }
  async function expectNoProcess(chromiums: readonly number[]) {
    expect(chromiums).not.toEqual([])
    for (const pid of chromiums)
      await eventually('Chromium has ended', async () => (await groupUsage(pid)).processes === 0)
  }

  test.each([
    ['check', '/v1/enrichments', 'cut.example'],
    ['lobby run', '/v1/lobby-runs', 'cut-lobby.example'],
  ])('a %s whose worker loses the database for a moment ends once', async (_kind, path, domain) => {
    const { used } = await spent()
    const poll = await start(path, domain)
    const worker = await service.startWorker()
    await eventually('the page is open', isOpen(domain), 120_000)
    const chromiums = await chromiumsOf(process.pid)
    const bringBack = await takeDatabaseAway(service.database)
    await bringBack()
    await expectOneEnd(poll, used)
    await worker.stop()
    await expectNoProcess(chromiums)
  })

  type Running = { renderer: Renderer; signal: AbortSignal }
  async function runOpenCheck({ renderer, signal }: Running): Promise<unknown> {
    const { live: world, now } = service.service
    const look = lookSettingsOf(settings, { now, refreshes: false, renderer })
    const openTools = (limit: AbortSignal) =>
      openLookTools(look, { database: world.database, now, signal: limit })
    const { files } = service
    const id = (await service.checksOf('away.example')).at(-1)?.id ?? 0
    return runCheck(id, { world, files, openTools, userAgent: look.userAgent, now, signal })
  }
  async function runOpenVisit({ renderer, signal }: Running): Promise<unknown> {
    const { live: world, now } = service.service
    const { rows } = await sql<{ id: number }>`
      select id from lobby_visits where domain = 'away-lobby.example'`.execute(world.database)
    return runVisit(rows[0]?.id ?? 0, { world, renderer, country: null, now, signal })
  }

  test.each([
    ['check', '/v1/enrichments', 'away.example', runOpenCheck],
    ['lobby run', '/v1/lobby-runs', 'away-lobby.example', runOpenVisit],
  ])('a %s that cannot store its visit is repeated, and charged once', async (_kind, path, domain, run) => {
    const { used } = await spent()
    const poll = await start(path, domain)
    const renderer = openPageRenderer(settings)
    const { signal } = new AbortController()
    const failing = expect(run({ renderer, signal })).rejects.toThrow()
    await eventually('the page is open', isOpen(domain), 120_000)
    const chromiums = await chromiumsOf(process.pid)
    const bringBack = await takeDatabaseAway(service.database)
    await failing
    await renderer.close()
    await expectNoProcess(chromiums)
    await bringBack()
    const worker = await service.startWorker()
    await expectOneEnd(poll, used)
    await worker.stop()
  })
})
