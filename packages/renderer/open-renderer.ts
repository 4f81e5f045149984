import { Places } from './places.ts'
import {
  nothingRendered,
  type ProxyForVisit,
  type Rendered,
  type RendererState,
  type RenderRequest,
} from './rendering.ts'
import { type ChromiumSettings, type Running, RunningChromium } from './running-chromium.ts'
import { unlessAborted } from './unless-aborted.ts'
import { openVisit, type Visit } from './visit.ts'

export type RendererSettings = ChromiumSettings & {
  rendersAtOnce: number
  /** Is appended to Chromium's user agent. */
  userAgentSuffix: string
  openProxy(limits: { bytesMax: number }): Promise<ProxyForVisit>
  /** Is called when the reason of `state()` has changed. */
  onChange?(): void
  /** Tests set it. */
  memoryMbMax?: number
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

const closeMsMax = 5_000
const memoryMbMaxDefault = 1_024
const watchedEveryMs = 500

/** Opens a renderer without a process. Chromium starts with the first visit, and ends when it is idle. */
export function openRenderer(settings: RendererSettings): Renderer {
  return new ChromiumRenderer(settings)
}

class ChromiumRenderer implements Renderer {
  readonly #settings: RendererSettings
  readonly #chromium: RunningChromium
  readonly #places: Places
  #saidReason: RendererState['reason']
  readonly #counts = { renders: 0, failed: 0, lastFailure: null as string | null }

  constructor(settings: RendererSettings) {
    this.#settings = settings
    this.#chromium = new RunningChromium(settings)
    this.#places = new Places(settings.rendersAtOnce)
    this.#saidReason = this.state().reason
  }

  state(): RendererState {
    return this.#chromium.state()
  }

  async probe(): Promise<RendererState> {
    await this.#chromium.probe()
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
    return { ...this.#counts, ...(await this.#chromium.counts()) }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  close(): Promise<void> {
    return this.#chromium.close()
  }

  async render(request: RenderRequest): Promise<Rendered> {
    if (!/^https?:$/.test(URL.parse(request.url)?.protocol ?? ''))
      return nothingRendered('unreachable', 'the URL must be http or https')
    if (this.#chromium.isUnavailable()) {
      this.#sayChange()
      return this.#unavailable(this.state().message ?? 'pages are not rendered')
    }
    const leave = await this.#places.take(request.lane, request.budget.waitMs, request.signal)
    if (leave === null)
      return nothingRendered('busy', `no place became free within ${request.budget.waitMs} ms`)
    try {
      const seen = await this.#renderOnce(request)
      // Another visit may have ended Chromium.
      const isRepeated =
        seen.reason === 'crashed' && request.signal?.aborted !== true && !this.#chromium.isClosed
      return this.#counted(isRepeated ? await this.#renderOnce(request) : seen)
    } finally {
      leave()
      this.#sayChange()
    }
  }

  #unavailable(message: string): Rendered {
    return nothingRendered(this.#chromium.hasStarted ? 'lost' : 'unavailable', message)
  }

  #counted(seen: Rendered): Rendered {
    this.#counts.renders += 1
    if (seen.reason === null) return seen
    this.#counts.failed += 1
    this.#counts.lastFailure = `${seen.reason}: ${seen.message ?? ''}`
    return seen
  }

  async #renderOnce(request: RenderRequest): Promise<Rendered> {
    let running: Running
    try {
      running = await this.#chromium.take()
    } catch (error) {
      return this.#unavailable((error as Error).message)
    }
    try {
      await using proxy = await this.#settings.openProxy({ bytesMax: request.budget.bytes })
      return await this.#visit(running, proxy, request)
    } finally {
      this.#chromium.leave(running)
    }
  }

  async #visit(running: Running, proxy: ProxyForVisit, request: RenderRequest): Promise<Rendered> {
    const { ms } = request.budget
    const limit = AbortSignal.timeout(ms)
    const signal = AbortSignal.any([limit, ...(request.signal === undefined ? [] : [request.signal])])
    const memory = this.#watchMemory(running)
    let visit: Visit | undefined
    try {
      const tools = { connection: running.connection, proxy, without: this.#settings.withoutSwitches ?? [] }
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
    if (!isClosed) this.#chromium.kill(running, 'a visit did not end')
  }

  #watchMemory(running: Running): { isExceeded(): boolean; stop(): void } {
    const { memoryMbMax = memoryMbMaxDefault } = this.#settings
    let isExceeded = false
    const timer = setInterval(async () => {
      const memoryMb = await running.memoryMb()
      if (memoryMb <= memoryMbMax || isExceeded) return
      isExceeded = true
      this.#chromium.kill(running, 'it needs too much memory')
    }, watchedEveryMs)
    return { isExceeded: () => isExceeded, stop: () => clearInterval(timer) }
  }
}
