import { chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findChromium } from '../../packages/renderer/chromium-process.ts'
import { hasChromium } from '../../packages/renderer/fixture.ts'
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
import { listRenderers } from '../features/renderers/index.ts'
import { createRendererMetrics } from '../instance/metrics.ts'

const casino = casinoWith('Visa and Skrill')
/** Asks for a page that never answers. */
const slow = { '/slow': { hangs: true } }
const holding = "await fetch('/slow')"

// The tests run in order: Chromium is lost in one, and missing or back in the next.
describe.skipIf(!hasChromium)('a Chromium that goes missing while the service runs', () => {
  let service: CheckingService
  let worker: { stop(): Promise<void> }
  let customer: Customer
  let folder: string
  let path: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lost-chromium-'))
    path = join(folder, 'chromium')
    await writeFile(path, `#!/bin/sh\nexec ${findChromium(null)} "$@"\n`)
    await chmod(path, 0o755)
    await chmod(folder, 0o755)
    const licensed = { licensed: true }
    service = await startCheckingService(
      [
        drawnSite('drawn.example', { '/': { html: drawnPage(casino) } }, licensed),
        drawnSite('new.example', { '/': { html: casino } }, licensed),
        drawnSite('slow.example', { '/': { html: `${casino}${drawnPage('', holding)}` }, ...slow }, licensed),
        drawnSite('lobby.example', { '/': { html: drawnPage(lobbyOf(gameTitles)) } }),
        drawnSite('slow-lobby.example', { '/': { html: drawnPage('', holding) }, ...slow }),
      ],
      { RENDER: 'on', CHROMIUM_PATH: path },
    )
    createRendererMetrics(service.service.metrics.registry, service.service.live.database)
    worker = await service.startWorker()
    customer = await service.customer({ credits: 1_000 })
  })
  afterAll(async () => {
    await worker?.stop()
    await service?.expectConsistentBooks()
    await service?.close()
    await rm(folder, { recursive: true })
  })

  async function check(domain: string) {
    const { status, body } = await service.resolve(customer, domain)
    expect(status, JSON.stringify(body)).toBe(200)
    const { launch, quality } = body.data.observations.operator_launch_profile
    const stored = await service.findingsOf(domain)
    return {
      state: (await service.checksOf(domain)).at(-1)?.state,
      launch: launch?.status,
      isWarned: quality.warnings.includes('page_not_rendered'),
      reasons: stored.find(({ section }) => section === 'launch')?.value.reasons,
    }
  }
  const askForRun = (domain: string) =>
    customer.ask('/v1/lobby-runs', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ domain, max_age_minutes: 0 }),
    })
  const endOf = (ref: string) =>
    eventually(
      'the run ends',
      async () => {
        const run = (await customer.ask(`/v1/lobby-runs/${ref}`)).body.data
        return ['completed', 'partial', 'failed'].includes(run.status) && run
      },
      120_000,
    )
  const rendering = async () => (await customer.ask('/v1/coverage')).body.data.rendering
  async function spent() {
    const { credits_used: used, credits_reserved: reserved } = (await customer.ask('/v1/account')).body.data
    return { used, reserved }
  }
  const remove = () => rename(path, `${path}.away`)
  const bringBack = () => rename(`${path}.away`, path)
  async function killChromium() {
    for (const pid of await chromiumsOf(process.pid)) process.kill(-pid, 'SIGKILL')
  }
  /** Removes Chromium when its page asks for what never answers. */
  async function loseDuring(domain: string) {
    const asked = () => service.internet.requestsTo(domain).some(each => each.path === '/slow')
    await eventually('the page is open', asked, 120_000)
    await remove()
    await killChromium()
  }

  test('a check whose Chromium is lost between two visits keeps the last rendered launch', async () => {
    expect(await check('drawn.example')).toMatchObject({ launch: 'live', isWarned: false })
    await remove()
    await killChromium()
    const { state, launch, isWarned, reasons } = await check('drawn.example')
    expect({ state, launch, isWarned }).toEqual({ state: 'completed', launch: 'live', isWarned: true })
    expect(reasons).toEqual(['not_rendered', expect.stringMatching(/^rendered_\d{4}-\d\d-\d\d$/)])
  })

  test('a site that was never rendered has an unknown launch without Chromium', async () => {
    expect(await check('new.example')).toMatchObject({
      state: 'completed',
      launch: 'unknown',
      isWarned: true,
    })
  })

  test('coverage, renderers and metrics say why, and a lobby run is refused unreserved', async () => {
    await eventually('it is reported', async () => (await rendering()).state === 'unavailable', 90_000)
    expect(await rendering()).toEqual({ state: 'unavailable', reason: 'not_found' })
    const [listed] = await listRenderers(service.service.live.database, service.service.now())
    expect(listed).toMatchObject({
      state: 'unavailable',
      reason: 'not_found',
      message: `Chromium was not found: ${path}`,
    })
    const metrics = await service.service.metrics.registry.metrics()
    expect(metrics).toMatch(/^baize_renderer_on\{worker="[^"]+",reason="not_found"\} 0$/m)
    const before = await spent()
    const { status, body } = await askForRun('lobby.example')
    expect([status, body.errors.code]).toEqual([503, 'renderer_unavailable'])
    expect(body.errors.details).toEqual({ state: 'unavailable', reason: 'not_found' })
    expect(await spent()).toEqual(before)
    expect(service.internet.requestsTo('lobby.example')).toEqual([])
  })

  test('a Chromium that comes back is used at the next visit', async () => {
    await bringBack()
    expect(await check('new.example')).toMatchObject({ launch: 'live', isWarned: false })
    await eventually('it is reported', async () => (await rendering()).state === 'on', 90_000)
    const { body } = await askForRun('lobby.example')
    expect(await endOf(body.data.lobby_run_ref)).toMatchObject({ status: 'completed', credits_charged: 10 })
  })

  test('a check whose Chromium is lost during its visit completes with an unknown launch', async () => {
    const lost = loseDuring('slow.example')
    expect(await check('slow.example')).toMatchObject({
      state: 'completed',
      launch: 'unknown',
      isWarned: true,
    })
    await lost
    await bringBack()
    expect(await check('drawn.example')).toMatchObject({ launch: 'live', isWarned: false })
  })

  test('a lobby run whose Chromium is lost during its visit fails, and costs nothing', async () => {
    await eventually('it is reported', async () => (await rendering()).state === 'on', 90_000)
    const before = await spent()
    const { body } = await askForRun('slow-lobby.example')
    await loseDuring('slow-lobby.example')
    expect(await endOf(body.data.lobby_run_ref)).toMatchObject({
      status: 'failed',
      reason: 'interrupted',
      credits_charged: 0,
    })
    expect(await spent()).toEqual(before)
    await bringBack()
  })
})
