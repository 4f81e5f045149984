import { type ChromiumProcess, DoesNotStart, findChromium, startChromium } from './chromium-process.ts'
import { groupMemory, groupUsage } from './group-usage.ts'
import { endOrphans } from './orphans.ts'
import { Places } from './places.ts'
import {
  nothingRendered,
  type ProxyForVisit,
  type Rendered,
  type RendererState,
  type RenderRequest,
} from './rendering.ts'
import { tryOut } from './try-out.ts'
import { openVisit, type Visit } from './visit.ts'

export type RendererSettings = {
  isOn: boolean
  /** The path of Chromium; null for the usual places. */
  chromiumPath: string | null
  hasSandbox: boolean
  rendersAtOnce: number
  /** Is appended to Chromium's user agent. */
  userAgentSuffix: string
  /**
   * SHA-256 of further authorities' public keys, in base64. A server must send the authority's certificate.
   */
  trustedKeys?: readonly string[]
  openProxy(limits: { bytesMax: number }): Promise<ProxyForVisit>
  /** Is called when the reason of `state()` has changed. */
  onChange?(): void
  /** Tests set these. */
  idleMs?: number
  memoryMbMax?: number
  withoutSwitches?: readonly string[]
}

type RendererCounts = {
  renders: number
  failed: number
  /** How often Chromium was killed, because a visit did not end or needed too much memory. */
  killed: number
  /** Processes of an earlier service that were ended. */
  orphans: number
  processes: number
  lastFailure: string | null
}

export type Renderer = AsyncDisposable & {
  render(request: RenderRequest): Promise<Rendered>
  /** Starts Chromium if it has not started yet, or failed to. */
  probe(): Promise<RendererState>
  state(): RendererState
  counts(): Promise<RendererCounts>
  close(): Promise<void>
}

const idleMsDefault = 60_000
const visitsOfProcessMax = 50
const closeMsMax = 5_000
const memoryMbMaxDefault = 1_024
const watchedEveryMs = 500
/** The first page after a start, which tries Chromium out. */
const tryOutMsMax = 30_000
/** A start that failed is tried again after this time. */
const retryStartMs = 60_000
const on: RendererState = { state: 'on', reason: null, message: null }
const off: RendererState = { state: 'off', reason: 'off', message: null }

/** Opens a renderer without a process. Chromium starts with the first visit, and ends when it is idle. */
export function openRenderer(settings: RendererSettings): Renderer {
  return new ChromiumRenderer(settings)
}

/** The version of each executable that was tried out in this process. */
const triedOut = new Map<string, string>()

type Running = ChromiumProcess & { visits: number; active: number; memoryMb(): Promise<number> }

class ChromiumRenderer implements Renderer {
  readonly #settings: RendererSettings
  readonly #places: Places
  readonly #without: readonly string[]
  #failure: RendererState | null = null
  #saidReason: RendererState['reason']
  #hasStarted = false
  #process: Promise<Running> | null = null
  #startedAtMs = Number.NEGATIVE_INFINITY
  #idle: NodeJS.Timeout | undefined
  #isClosed = false
  #hasSwept = false
  readonly #alive = new Set<Running>()
  readonly #counts = { renders: 0, failed: 0, killed: 0, orphans: 0, lastFailure: null as string | null }

  constructor(settings: RendererSettings) {
    this.#settings = settings
    this.#places = new Places(settings.rendersAtOnce)
    this.#without = settings.withoutSwitches ?? []
    this.#saidReason = this.state().reason
  }

  state(): RendererState {
    const { isOn, chromiumPath } = this.#settings
    if (!isOn) return off
    // Chromium may be removed and installed while the service runs.
    if (findChromium(chromiumPath) !== null) return this.#failure ?? on
    const message = `Chromium was not found: ${chromiumPath ?? 'the usual places'}`
    return { state: 'unavailable', reason: 'not_found', message }
  }

  async probe(): Promise<RendererState> {
    const isUntried = !this.#hasStarted || this.#failure !== null
    if (isUntried && !this.#isUnavailable())
      await this.#take().then(
        running => this.#leave(running),
        () => {},
      )
    this.#sayChange()
    return this.state()
  }

  #sayChange(): void {
    const { reason } = this.state()
    const hasChanged = reason !== this.#saidReason
    this.#saidReason = reason
    if (hasChanged) this.#settings.onChange?.()
  }

  async counts(): Promise<RendererCounts> {
    const groups = await Promise.all([...this.#alive].map(({ pid }) => groupUsage(pid)))
    const processes = groups.reduce((sum, each) => sum + each.processes, 0)
    return { ...this.#counts, processes }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#idle)
    for (const running of this.#alive) running.kill('the renderer was closed')
    await Promise.all([...this.#alive].map(({ ended }) => ended))
  }

  async render(request: RenderRequest): Promise<Rendered> {
    if (!/^https?:$/.test(URL.parse(request.url)?.protocol ?? ''))
      return nothingRendered('unreachable', 'the URL must be http or https')
    if (this.#isUnavailable()) {
      this.#sayChange()
      return this.#unavailable(this.state().message ?? 'pages are not rendered')
    }
    const leave = await this.#places.take(request.lane, request.budget.waitMs, request.signal)
    if (leave === null)
      return nothingRendered('busy', `no place became free within ${request.budget.waitMs} ms`)
    try {
      const seen = await this.#renderOnce(request)
      // Another visit may have ended Chromium.
      const isRepeated = seen.reason === 'crashed' && request.signal?.aborted !== true && !this.#isClosed
      return this.#counted(isRepeated ? await this.#renderOnce(request) : seen)
    } finally {
      leave()
      this.#sayChange()
    }
  }

  #unavailable(message: string): Rendered {
    return nothingRendered(this.#hasStarted ? 'lost' : 'unavailable', message)
  }

  #counted(seen: Rendered): Rendered {
    this.#counts.renders += 1
    if (seen.reason === null) return seen
    this.#counts.failed += 1
    this.#counts.lastFailure = `${seen.reason}: ${seen.message ?? ''}`
    return seen
  }

  #isUnavailable(): boolean {
    const { reason } = this.state()
    if (this.#isClosed || reason === 'off' || reason === 'not_found') return true
    return reason !== null && performance.now() - this.#startedAtMs < retryStartMs
  }

  async #renderOnce(request: RenderRequest): Promise<Rendered> {
    let running: Running
    try {
      running = await this.#take()
    } catch (error) {
      return this.#unavailable((error as Error).message)
    }
    try {
      await using proxy = await this.#settings.openProxy({ bytesMax: request.budget.bytes })
      return await this.#visit(running, proxy, request)
    } finally {
      this.#leave(running)
    }
  }

  async #visit(running: Running, proxy: ProxyForVisit, request: RenderRequest): Promise<Rendered> {
    const { ms } = request.budget
    const limit = AbortSignal.timeout(ms)
    const signal = AbortSignal.any([limit, ...(request.signal === undefined ? [] : [request.signal])])
    const memory = this.#watchMemory(running)
    let visit: Visit | undefined
    try {
      const tools = { connection: running.connection, proxy, without: this.#without }
      const opening = openVisit({ ...tools, userAgentSuffix: this.#settings.userAgentSuffix }, request)
      visit = await unlessAborted(opening, signal)
      return await unlessAborted(visit.see(), signal)
    } catch (error) {
      if (memory.isExceeded()) return nothingRendered('too_large', 'the page needs too much memory')
      if (!running.isAlive()) return nothingRendered('crashed', 'Chromium ended during the visit')
      if (limit.aborted) return nothingRendered('timeout', `the visit took longer than ${ms} ms`)
      return nothingRendered(signal.aborted ? 'timeout' : 'crashed', (error as Error).message)
    } finally {
      memory.stop()
      if (running.isAlive()) await this.#end(running, visit)
    }
  }

  /** Kills Chromium if the visit does not end. Closing hangs with some pages. */
  async #end(running: Running, visit: Visit | undefined): Promise<void> {
    const closing = visit === undefined ? Promise.reject(new Error('it did not open')) : visit.close()
    const isClosed = await unlessAborted(closing, AbortSignal.timeout(closeMsMax)).then(
      () => true,
      () => false,
    )
    if (!isClosed) this.#kill(running, 'a visit did not end')
  }

  #kill(running: Running, why: string): void {
    if (!running.isAlive()) return
    this.#counts.killed += 1
    running.kill(why)
  }

  #watchMemory(running: Running): { isExceeded(): boolean; stop(): void } {
    const { memoryMbMax = memoryMbMaxDefault } = this.#settings
    let isExceeded = false
    const timer = setInterval(async () => {
      const memoryMb = await running.memoryMb()
      if (memoryMb <= memoryMbMax || isExceeded) return
      isExceeded = true
      this.#kill(running, 'it needs too much memory')
    }, watchedEveryMs)
    return { isExceeded: () => isExceeded, stop: () => clearInterval(timer) }
  }

  /** Returns the running Chromium, or starts one. */
  async #take(): Promise<Running> {
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
      if (!this.#hasSwept) this.#counts.orphans = await endOrphans()
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

  #leave(running: Running): void {
    running.active -= 1
    if (running.active > 0) return
    if (running.visits >= visitsOfProcessMax) running.kill('it was used often')
    const { idleMs = idleMsDefault } = this.#settings
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => {
      for (const each of this.#alive) if (each.active === 0) each.kill('it was idle')
    }, idleMs).unref()
  }
}

function unlessAborted<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', stop))
}
