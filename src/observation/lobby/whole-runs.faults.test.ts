import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium } from '../../../packages/renderer/fixture.ts'
import { groupUsage } from '../../../packages/renderer/group-usage.ts'
import { folderPrefix } from '../../../packages/renderer/orphans.ts'
import { startBrowser, visit } from '../../../test/browser/browser.ts'
import { startChild } from '../../../test/harness/child.ts'
import { eventually } from '../../../test/harness/eventually.ts'
import type { Customer } from '../../../test/harness/service.ts'
import { signIn } from '../../../test/harness/sign-in.ts'
import { type Scenario, type SiteResponse, scenarioOf } from '../../../test/small-internet/scenario.ts'
import {
  type CheckingService,
  startCheckingService,
} from '../../../test/small-internet/start-checking-service.ts'
import { verifyLobbyRuns } from '../../features/lobbies/index.ts'
import { reportRenderer } from '../../features/renderers/index.ts'

const titles = ['Otter Reels', 'Heron Spins', 'Lynx Gold', 'Badger Riches', 'Marten Club', 'Stoat Fever']
const tiles = titles
  .map(
    title => `<li><a href="/game/${title}"><img width="120" height="120" src="/a.png" alt=""></a>
      <b>${title}</b><small>NetEnt</small></li>`,
  )
  .join('')
const drawn = (html: string) =>
  `<!doctype html><title>Site</title><div id="app"></div>
   <script>setTimeout(() => { app.innerHTML = ${JSON.stringify(html)} }, 100)</script>`
const lobby = drawn(`<h2>Slots</h2><ul>${tiles}</ul>`)

const site = (domain: string, responses: Record<string, SiteResponse>): Scenario =>
  scenarioOf({
    about: domain,
    domain,
    responses,
    expect: { web_presence: 'live', launch: 'live', outcome: 'completed' },
  })

const phases = [
  '1',
  '2',
  'before a render',
  'in a render',
  'after a render',
  'before the commit',
  'after the commit',
]
const dying = (phase: string) => `dying-${phase.replaceAll(' ', '-')}.example`
const entrance = drawn('<h1>Otter</h1><a href="/casino">Casino</a>')
const asksAge = drawn(
  `<h1>Are you over 18?</h1><button onclick="fetch('/entered').then(() => location.reload())">
   I am over 18</button><a href="/imprint">Imprint</a>`,
)
const asksConsent = drawn(
  `<div style="position:fixed;inset:0;z-index:9"><p>We use cookies.</p>
   <button onclick="fetch('/consented')">Accept all</button></div>
   <h2>Slots</h2><ul>${tiles}</ul>`,
)

describe.skipIf(!hasChromium)('runs of the lobby monitor in Chromium', () => {
  let service: CheckingService
  let customer: Customer
  let browser: Browser
  let worker: { stop(): Promise<void> } | null = null

  beforeAll(async () => {
    const scenarios = [
      site('whole.example', { '/': { html: entrance }, '/casino': { html: lobby } }),
      site('age.example', { '/': { html: asksAge } }),
      site('consent.example', { '/': { html: asksConsent } }),
      site('dry.example', { '/': { html: lobby } }),
      ...phases.map(phase => site(dying(phase), { '/': { html: lobby, delay_ms: 800 } })),
    ]
    service = await startCheckingService(scenarios, { RENDER: 'on' }, { isReachable: true })
    browser = await startBrowser()
    customer = await service.customer({ credits: 1_000 })
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
      90_000,
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

  function workUntilKilled(visitId: number, moment: string) {
    const { connection } = service.database
    const environment = { ...service.internet.environment, RENDER: 'on' }
    return startChild<{ moments: string[] }>(
      '../small-internet/visit-until-killed.ts',
      ...[JSON.stringify(connection), JSON.stringify(environment), String(visitId), moment],
    )
  }

  /** Returns the number of the last statement before the commit. */
  async function lastStatement(): Promise<number> {
    const { visitId } = await start('dry.example')
    const { moments } = await workUntilKilled(visitId, 'never').hello
    expect(moments).toEqual(expect.arrayContaining(['before a render', 'in a render', 'after a render']))
    return moments.lastIndexOf('before a statement') + 1
  }

  test('a run whose worker is killed in any phase leaves no process, and is charged once', async () => {
    const last = await lastStatement()
    for (const phase of phases) {
      const before = await spent()
      const { ref, visitId } = await start(dying(phase))
      const child = workUntilKilled(visitId, phase === 'before the commit' ? String(last) : phase)
      await expect(child.hello, phase).rejects.toThrow('ended without output')
      const groups = await chromiumsOf(child.pid)
      if (phase.includes('render') && phase !== 'before a render') expect(groups, phase).toHaveLength(1)
      for (const pid of groups)
        await eventually(`no process of ${phase}`, async () => (await groupUsage(pid)).processes === 0)
      expect(await ended(ref), phase).toMatchObject({ status: 'completed', credits_charged: 10 })
      expect(await spent(), phase).toEqual({ used: before.used + 10, reserved: 0 })
      const { lobby_runs: runs } = (await customer.ask(`/v1/lobby-runs?domain=${dying(phase)}`)).body.data
      expect(runs, phase).toHaveLength(1)
      await worker?.stop()
      worker = null
    }
  })
})

/** Returns the pids of Chromiums that a process started, which their profiles record. */
async function chromiumsOf(owner: number): Promise<number[]> {
  const names = (await readdir(tmpdir())).filter(name => name.startsWith(folderPrefix))
  const records = await Promise.all(
    names.map(name => readFile(join(tmpdir(), name, 'process.json'), 'utf8').catch(() => '{}')),
  )
  return records
    .map(text => JSON.parse(text) as { chromium?: { pid: number }; owner?: { pid: number } })
    .filter(record => record.owner?.pid === owner)
    .map(({ chromium }) => chromium?.pid ?? 0)
}
