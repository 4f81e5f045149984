import { type ChromiumProcess, DoesNotStart, findChromium, startChromium } from './chromium-process.ts'
import { groupMemory, groupUsage } from './group-usage.ts'
import { endOrphans } from './orphans.ts'
import type { RendererState } from './rendering.ts'
import { tryOut } from './try-out.ts'
import { unlessAborted } from './unless-aborted.ts'

export type ChromiumSettings = {
  isOn: boolean
  /** The path of Chromium; null for the usual places. */
  chromiumPath: string | null
  hasSandbox: boolean
  /**
   * SHA-256 of further authorities' public keys, in base64. A server must send the authority's certificate.
   */
  trustedKeys?: readonly string[]
  /** Tests set these. */
  idleMs?: number
  withoutSwitches?: readonly string[]
}

/** A Chromium with the number of its visits so far, and of those that have not ended. */
export type Running = ChromiumProcess & { visits: number; active: number; memoryMb(): Promise<number> }

const idleMsDefault = 60_000
const visitsOfProcessMax = 50
/** The first page after a start, which tries Chromium out. */
const tryOutMsMax = 30_000
/** A start that failed is tried again after this time. */
const retryStartMs = 60_000
const on: RendererState = { state: 'on', reason: null, message: null }
const off: RendererState = { state: 'off', reason: 'off', message: null }

/** The version of each executable that was tried out in this process. */
const triedOut = new Map<string, string>()

/** Starts Chromium with the first visit, again after a number of visits or its loss, and ends it when idle. */
export class RunningChromium {
  readonly #settings: ChromiumSettings
  readonly #without: readonly string[]
  #failure: RendererState | null = null
  #hasStarted = false
  #process: Promise<Running> | null = null
  #startedAtMs = Number.NEGATIVE_INFINITY
  #idle: NodeJS.Timeout | undefined
  #isClosed = false
  #hasSwept = false
  #killed = 0
  #orphans = 0
  readonly #alive = new Set<Running>()

  constructor(settings: ChromiumSettings) {
    this.#settings = settings
    this.#without = settings.withoutSwitches ?? []
  }

  get hasStarted(): boolean {
    return this.#hasStarted
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  state(): RendererState {
    const { isOn, chromiumPath } = this.#settings
    if (!isOn) return off
    // Chromium may be removed and installed while the service runs.
    if (findChromium(chromiumPath) !== null) return this.#failure ?? on
    const message = `Chromium was not found: ${chromiumPath ?? 'the usual places'}`
    return { state: 'unavailable', reason: 'not_found', message }
  }

  /** Starts Chromium if it has not started yet, or failed to. */
  async probe(): Promise<void> {
    const isUntried = !this.#hasStarted || this.#failure !== null
    if (isUntried && !this.isUnavailable())
      await this.take().then(
        running => this.leave(running),
        () => {},
      )
  }

  isUnavailable(): boolean {
    const { reason } = this.state()
    if (this.#isClosed || reason === 'off' || reason === 'not_found') return true
    return reason !== null && performance.now() - this.#startedAtMs < retryStartMs
  }

  async counts(): Promise<{ killed: number; orphans: number; processes: number }> {
    const groups = await Promise.all([...this.#alive].map(({ pid }) => groupUsage(pid)))
    const processes = groups.reduce((sum, each) => sum + each.processes, 0)
    return { killed: this.#killed, orphans: this.#orphans, processes }
  }

  /** Returns the running Chromium, or starts one. */
  async take(): Promise<Running> {
    clearTimeout(this.#idle)
    const before = this.#process
    const current = await before?.catch(() => null)
    const isUsable = current?.isAlive() === true && current.visits < visitsOfProcessMax
    if (!isUsable && this.#process === before) this.#process = this.#start()
    const running = await (this.#process as Promise<Running>)
    running.visits += 1
    running.active += 1
    return running
  }

  async #start(): Promise<Running> {
    const { hasSandbox, trustedKeys = [], chromiumPath } = this.#settings
    const path = findChromium(chromiumPath)
    this.#startedAtMs = performance.now()
    try {
      if (!this.#hasSwept) this.#orphans = await endOrphans()
      this.#hasSwept = true
      const settings = { path: path ?? '', hasSandbox, trustedKeys, without: this.#without }
      const started = await startChromium(settings)
      // It is in use while it is tried out.
      const running = { ...started, visits: 0, active: 1, memoryMb: groupMemory(started.pid) }
      this.#alive.add(running)
      void running.ended.then(() => this.#alive.delete(running))
      if (this.#isClosed) running.kill('the renderer was closed')
      await this.#tryOut(running, settings.path)
      running.active -= 1
      this.#failure = null
      this.#hasStarted = true
      return running
    } catch (error) {
      const reason = error instanceof DoesNotStart ? error.reason : 'does_not_start'
      // One that is gone is looked for at the next visit, without a pause.
      const isGone = findChromium(chromiumPath) === null
      this.#failure = isGone ? null : { state: 'unavailable', reason, message: (error as Error).message }
      throw error
    }
  }

  async #tryOut(running: Running, path: string): Promise<void> {
    // A test that takes a switch away sees a page leave.
    if (this.#without.length > 0) return
    const limit = AbortSignal.timeout(tryOutMsMax)
    try {
      triedOut.set(path, await unlessAborted(tryOut(running.connection, triedOut.get(path)), limit))
    } catch (error) {
      triedOut.delete(path)
      running.kill('it was tried out in vain')
      await running.ended
      if (!limit.aborted) throw error
      throw new DoesNotStart('does_not_start', 'its first page was not read in time')
    }
  }

  leave(running: Running): void {
    running.active -= 1
    if (running.active > 0) return
    if (running.visits >= visitsOfProcessMax) running.kill('it was used often')
    const { idleMs = idleMsDefault } = this.#settings
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => {
      for (const each of this.#alive) if (each.active === 0) each.kill('it was idle')
    }, idleMs).unref()
  }

  kill(running: Running, why: string): void {
    if (!running.isAlive()) return
    this.#killed += 1
    running.kill(why)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#idle)
    for (const running of this.#alive) running.kill('the renderer was closed')
    await Promise.all([...this.#alive].map(({ ended }) => ended))
  }
}
