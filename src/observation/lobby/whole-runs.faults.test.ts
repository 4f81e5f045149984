import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hasChromium } from '../../../packages/renderer/fixture.ts'
import { groupUsage } from '../../../packages/renderer/group-usage.ts'
import { startBrowser, visit } from '../../../test/browser/browser.ts'
import { startChild } from '../../../test/harness/child.ts'
import { eventually } from '../../../test/harness/eventually.ts'
import type { Customer } from '../../../test/harness/service.ts'
import { signIn } from '../../../test/harness/sign-in.ts'
import {
  drawnPage,
  drawnSite,
  lobbyOf,
  gameTitles as titles,
} from '../../../test/small-internet/drawn-sites.ts'
import {
  type CheckingService,
  startCheckingService,
} from '../../../test/small-internet/start-checking-service.ts'
import { verifyLobbyRuns } from '../../features/lobbies/index.ts'
import { reportRenderer } from '../../features/renderers/index.ts'

const lobby = drawnPage(lobbyOf(titles))

/** The first moments, by their number. */
const momentsOf: Record<string, string> = { 'at its start': '1', 'after its first statement': '2' }
const phases = [
  ...Object.keys(momentsOf),
  'before a render',
  'in a render',
  'after a render',
  'before the commit',
  'after the commit',
]
const dying = (phase: string) => `dying-${phase.replaceAll(' ', '-')}.example`
const entrance = drawnPage('<h1>Otter</h1><a href="/casino">Casino</a>')
const asksAge = drawnPage(
  `<h1>Are you over 18?</h1><button onclick="fetch('/entered').then(() => location.reload())">
   I am over 18</button><a href="/imprint">Imprint</a>`,
)
const asksConsent = drawnPage(
  `<div style="position:fixed;inset:0;z-index:9"><p>We use cookies.</p>
   <button onclick="fetch('/consented')">Accept all</button></div>
   ${lobbyOf(titles)}`,
)

describe.skipIf(!hasChromium)('runs of the lobby monitor in Chromium', () => {
  let service: CheckingService
  let customer: Customer
  let browser: Browser
  let worker: { stop(): Promise<void> } | null = null

  beforeAll(async () => {
    const scenarios = [
      drawnSite('whole.example', { '/': { html: entrance }, '/casino': { html: lobby } }),
      drawnSite('age.example', { '/': { html: asksAge } }),
      drawnSite('consent.example', { '/': { html: asksConsent } }),
      drawnSite('dry.example', { '/': { html: lobby } }),
      drawnSite('stopped.example', {
        '/': { turns: [{ hangs: true }, { html: lobby }] },
      }),
      ...phases.map(phase => drawnSite(dying(phase), { '/': { html: lobby } })),
    ]
    service = await startCheckingService(scenarios, { RENDER: 'on' }, { isReachable: true })
    browser = await startBrowser()
    customer = await service.customer({ credits: 1_000 })
  })
  beforeEach(async () => {
    // A report counts for five minutes, and a busy machine may need longer.
    const counts = { renders: 0, failed: 0, killed: 0, processes: 0, last_failure: null }
    const on = { worker: 'test', state: 'on', reason: null, message: null, ...counts } as const
    await reportRenderer(service.service.live.database, on, service.service.now())
  })
  afterEach(async () => {
    await worker?.stop()
    worker = null
    await service.expectConsistentBooks()
    expect(await verifyLobbyRuns(service.service.live.database)).toEqual([])
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  async function start(domain: string): Promise<{ ref: string; visitId: number }> {
    const { status, body } = await customer.ask('/v1/lobby-runs', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ domain }),
    })
    expect(status, JSON.stringify(body)).toBe(202)
    const ref: string = body.data.lobby_run_ref
    const { visit_id: visitId } = await service.service.live.database
      .selectFrom('lobby_runs')
      .select('visit_id')
      .where('run_ref', '=', ref)
      .executeTakeFirstOrThrow()
    return { ref, visitId }
  }

  const show = async (ref: string) => (await customer.ask(`/v1/lobby-runs/${ref}`)).body.data
  async function spent(): Promise<{ used: number; reserved: number }> {
    const { credits_used: used, credits_reserved: reserved } = (await customer.ask('/v1/account')).body.data
    return { used, reserved }
  }
  async function ended(ref: string) {
    worker ??= await service.startWorker()
    return eventually(
      'the run ends',
      async () => {
        const run = await show(ref)
        return ['completed', 'partial', 'failed'].includes(run.status) && run
      },
      200_000,
    )
  }

  test('a run from its POST to its charge is drawn in the dashboard', async () => {
    const before = await spent()
    const { ref } = await start('whole.example')
    const run = await ended(ref)
    expect(run).toMatchObject({ status: 'completed', credits_charged: 10, titles_seen: 6 })
    expect(run.seen_from.final_url).toBe('https://whole.example/casino')
    expect(run.games.map(({ title }: { title: string }) => title)).toEqual(titles)
    expect(run.shares).toEqual([expect.objectContaining({ supplier_slug: 'netent', games: 6, share: 1 })])
    expect(await spent()).toEqual({ used: before.used + 10, reserved: 0 })
    const person = await signIn(service, { accountRef: customer.accountRef, role: 'member' })
    const visitor = await visit(browser, service, { person })
    await visitor.open(`/dashboard/lobbies/${ref}`)
    expect(await visitor.page.locator('.tile strong').allTextContents()).toEqual(titles)
    expect(await visitor.page.locator('.shares').textContent()).toContain('100 %')
    expect(visitor.problems).toEqual([])
    await visitor.context.close()
  })

  test('a lobby behind a question of age is unknown: no click, and no charge', async () => {
    const before = await spent()
    const { ref } = await start('age.example')
    expect(await ended(ref)).toMatchObject({ status: 'failed', reason: 'no_lobby_found', games: [] })
    expect(await spent()).toEqual({ used: before.used, reserved: 0 })
    expect(service.internet.requestsTo('age.example').map(({ path }) => path)).not.toContain('/entered')
  })

  test('a banner of cookies is not clicked, and the games beneath it are read', async () => {
    const { ref } = await start('consent.example')
    expect(await ended(ref)).toMatchObject({ status: 'completed', titles_seen: 6 })
    const paths = service.internet.requestsTo('consent.example').map(({ path }) => path)
    expect(paths).not.toContain('/consented')
  })

  test('a run whose worker stops during its visit is repeated by another, and charged once', async () => {
    const before = await spent()
    const { ref } = await start('stopped.example')
    worker = await service.startWorker()
    const isAsked = () => service.internet.requestsTo('stopped.example').length > 0
    await eventually('Chromium asks for the page', isAsked, 120_000)
    await worker.stop()
    expect((await show(ref)).status).not.toBe('failed')
    worker = null
    expect(await ended(ref)).toMatchObject({ status: 'completed', credits_charged: 10 })
    expect(await spent()).toEqual({ used: before.used + 10, reserved: 0 })
  })

  type Killed = { chromiums?: number[]; moments?: string[] }
  function workUntilKilled(visitId: number, moment: string) {
    const { connection } = service.database
    const environment = { ...service.internet.environment, RENDER: 'on' }
    return startChild<Killed>(
      '../small-internet/visit-until-killed.ts',
      ...[JSON.stringify(connection), JSON.stringify(environment), String(visitId), moment],
    )
  }

  /** Returns the number of the last statement before the commit. */
  async function lastStatement(): Promise<number> {
    const { visitId } = await start('dry.example')
    const { moments = [] } = await workUntilKilled(visitId, 'never').hello
    expect(moments).toEqual(expect.arrayContaining(['before a render', 'in a render', 'after a render']))
    return moments.lastIndexOf('before a statement') + 1
  }

  test.each(phases)('a run whose worker is killed %s leaves no process, and is charged once', async phase => {
    const moment = phase === 'before the commit' ? String(await lastStatement()) : momentsOf[phase]
    const before = await spent()
    const { ref, visitId } = await start(dying(phase))
    const child = workUntilKilled(visitId, moment ?? phase)
    // Another service may delete the record of a Chromium without its owner, so the child names it.
    const { chromiums = [] } = await child.hello.catch(() => ({}) as Killed)
    expect(await child.gone).toBe('SIGKILL')
    if (!(phase in momentsOf) && phase !== 'before a render') expect(chromiums).toHaveLength(1)
    for (const pid of chromiums)
      await eventually('no process is left', async () => (await groupUsage(pid)).processes === 0)
    expect(await ended(ref)).toMatchObject({ status: 'completed', credits_charged: 10 })
    expect(await spent()).toEqual({ used: before.used + 10, reserved: 0 })
    const { lobby_runs: runs } = (await customer.ask(`/v1/lobby-runs?domain=${dying(phase)}`)).body.data
    expect(runs).toHaveLength(1)
  })
})
