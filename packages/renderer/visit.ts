import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Connection } from './cdp.ts'
import type { ProxyForVisit, Rendered, RenderRequest } from './rendering.ts'
import { oneWayOut } from './switches.ts'
import { Traffic } from './traffic.ts'

const pageScript = readFileSync(new URL('./page-script.js', import.meta.url), 'utf8')
const desktop = { width: 1_366, height: 900, isMobile: false }

/** The page may be quiet for this long and still load: a browser waits for its scripts, too. */
const quietMs = 600
const settleMsMax = 8_000
const scrollSettleMsMax = 2_500
/** Limits the scrolls to the end of a page. */
const endMsMax = 6_000
const screensMax = 20
/** Is left for reading the page and its frames. */
const readMs = 4_000
const framesMax = 10
const pollMs = 100

export type VisitTools = {
  connection: Connection
  proxy: ProxyForVisit
  userAgentSuffix: string
  without: readonly string[]
}

/** Opens a context of its own: no cookies, no stored data, no permission, its own proxy. */
export async function openVisit(
  { connection, proxy, userAgentSuffix, without }: VisitTools,
  request: RenderRequest,
): Promise<Visit> {
  const [proxyServer, bypassList] = oneWayOut
  const { browserContextId } = await connection.send('Target.createBrowserContext', {
    disposeOnDetach: true,
    ...(without.includes(proxyServer) ? {} : { proxyServer: `http://127.0.0.1:${proxy.port}` }),
    ...(without.includes(bypassList) ? {} : { proxyBypassList: '<-loopback>' }),
  })
  const { userAgent } = await connection.send('Browser.getVersion')
  const visit = new Visit({ connection, proxy, context: browserContextId, request })
  try {
    await visit.open(`${String(userAgent).replace('HeadlessChrome', 'Chrome')} ${userAgentSuffix}`.trim())
    return visit
  } catch (error) {
    connection.post('Target.disposeBrowserContext', { browserContextId })
    throw error
  }
}

type Opened = { connection: Connection; proxy: ProxyForVisit; context: string; request: RenderRequest }
type Read = { url: string; html: string; isCut: boolean }

/** One visit of one page. Its caller limits it: each step may hang with the page. */
export class Visit {
  readonly #connection: Connection
  readonly #proxy: ProxyForVisit
  readonly #context: string
  readonly #request: RenderRequest
  readonly #endsAtMs: number
  readonly #traffic: Traffic
  #session = ''
  #frame = ''
  #isCut = false

  constructor({ connection, proxy, context, request }: Opened) {
    this.#connection = connection
    this.#proxy = proxy
    this.#context = context
    this.#request = request
    this.#endsAtMs = performance.now() + request.budget.ms
    const { budget, mayRequest = async () => true } = request
    this.#traffic = new Traffic(connection, { requestsMax: budget.requests, proxy, mayRequest })
  }

  async open(userAgent: string): Promise<void> {
    const browserContextId = this.#context
    await this.#connection.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId })
    const { targetId } = await this.#connection.send('Target.createTarget', {
      url: 'about:blank',
      browserContextId,
    })
    const { sessionId } = await this.#connection.send('Target.attachToTarget', { targetId, flatten: true })
    this.#session = sessionId
    this.#frame = targetId
    const { width, height, isMobile } = this.#request.viewport ?? desktop
    const send = (method: string, params: object = {}) => this.#connection.send(method, params, sessionId)
    await Promise.all([
      this.#traffic.watch(sessionId, targetId),
      send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: isMobile }),
      send('Emulation.setUserAgentOverride', { userAgent, acceptLanguage: 'en;q=0.8,*;q=0.5' }),
      // A service worker would outlive the page, and answer instead of the site.
      send('Page.addScriptToEvaluateOnNewDocument', { source: 'delete Navigator.prototype.serviceWorker' }),
    ])
  }

  async see(): Promise<Rendered> {
    const { url, waitFor } = this.#request
    const { errorText, isDownload } = await this.#connection.send('Page.navigate', { url }, this.#session)
    const failure = isDownload === true ? 'the page is a file to download' : errorText
    if (failure && this.#traffic.chain.length <= 1) return this.#unreached(String(failure))
    await this.#settle(settleMsMax, waitFor)
    if (this.#request.seesEnd === true) await this.#seeEnd()
    const steps: string[] = []
    const { pages, scrolls = pages?.max ?? 0 } = this.#request
    while (steps.length < scrolls && this.#leftMs() > readMs) {
      const before = await this.#read()
      if (before === null || !(await this.#advance())) break
      steps.push(before.html)
      await this.#settle(scrollSettleMsMax)
    }
    // A list with a further page is not whole.
    if (pages !== undefined && steps.length > 0) this.#isCut ||= await this.#advance()
    const page = await this.#read()
    if (page === null) return this.#unreached('the page was not read')
    const frames = await this.#readFrames()
    const truncated = this.#isCut || this.#traffic.isCut || this.#proxy.isUsedUp()
    return {
      ...this.#traffic.seen(),
      finalUrl: page.url,
      dom: page.html,
      steps,
      frames,
      truncated,
      reason: null,
      message: null,
    }
  }

  /** Ends the visit's page and all that it has opened. May hang with Chromium. */
  async close(): Promise<void> {
    this.#traffic.end()
    await this.#connection.send('Target.disposeBrowserContext', { browserContextId: this.#context })
  }

  #unreached(message: string): Rendered {
    const host = URL.parse(this.#traffic.chain.at(-1) ?? this.#request.url)?.hostname ?? ''
    const cause = this.#proxy.failureOf(host)
    const explained = cause === null ? message : `${message}: ${cause}`
    const nothing = { dom: null, steps: [], frames: [], truncated: this.#proxy.isUsedUp() }
    return { ...this.#traffic.seen(), ...nothing, finalUrl: null, reason: 'unreachable', message: explained }
  }

  #leftMs(): number {
    return this.#endsAtMs - performance.now()
  }

  /** Waits until the page is loaded and quiet, and shows what is waited for. */
  async #settle(msMax: number, selector?: string): Promise<void> {
    const until = performance.now() + Math.min(msMax, this.#leftMs() - readMs)
    while (performance.now() < until) {
      if (this.#proxy.isUsedUp()) return
      const isQuiet = this.#traffic.quietForMs() >= quietMs
      if (isQuiet && (selector === undefined || (await this.#has(selector)))) return
      await pause(pollMs)
    }
    this.#isCut ||= selector !== undefined
  }

  /** Scrolls to the end and back. A list that drops rows shows the first ones again. */
  async #seeEnd(): Promise<void> {
    const until = performance.now() + Math.min(endMsMax, this.#leftMs() - readMs)
    for (let screen = 0; screen < screensMax && performance.now() < until; screen += 1) {
      if (!(await this.#advance())) break
      // What comes into view needs a moment to request something.
      await pause(pollMs)
      await this.#settle(Math.min(scrollSettleMsMax, until - performance.now()))
    }
    await this.#evaluate('scrollTo(0, 0)', this.#session, this.#frame)
    await pause(pollMs)
  }

  async #has(selector: string): Promise<boolean> {
    const found = `document.querySelector(${JSON.stringify(selector)}) !== null`
    return (await this.#evaluate(found, this.#session, this.#frame)) === true
  }

  /** Scrolls, or goes to the next page of a list. Returns false at the end. */
  async #advance(): Promise<boolean> {
    const { pages } = this.#request
    const scroll = 'const y = scrollY; scrollBy(0, innerHeight * 0.9); return scrollY > y'
    const click = `const next = document.querySelector(${JSON.stringify(pages?.next)})
      const isOver = !next || next.matches(':disabled, [aria-disabled=true], .disabled, .disabled *')
      if (!isOver) next.click()
      return !isOver`
    const script = `(() => { ${pages === undefined ? scroll : click} })()`
    return (await this.#evaluate(script, this.#session, this.#frame)) === true
  }

  async #read(frame = this.#frame, session = this.#session): Promise<Read | null> {
    const isFrame = frame !== this.#frame
    const { hasBoxes = false, isWhole = false } = this.#request
    const options = { ms: readMs / 2, isFrame, hasBoxes, isWhole }
    const read = (await this.#evaluate(
      `{ const options = ${JSON.stringify(options)}; ${pageScript} }`,
      session,
      frame,
    )) as Read | null
    this.#isCut ||= read?.isCut === true
    return read ?? null
  }

  async #readFrames(): Promise<Rendered['frames']> {
    const frames: Rendered['frames'] = []
    for (const [frame, session] of this.#traffic.frames().slice(0, 5 * framesMax)) {
      if (frames.length === framesMax || this.#leftMs() < readMs / 4) break
      const read = await this.#read(frame, session).catch(() => null)
      if (read !== null && read.html.length > 0) frames.push({ url: read.url, dom: read.html })
    }
    return frames
  }

  /** Runs in a world of its own, which the page's scripts cannot change. */
  async #evaluate(expression: string, session: string, frameId: string): Promise<unknown> {
    const { executionContextId: contextId } = await this.#connection.send(
      'Page.createIsolatedWorld',
      { frameId, worldName: 'baize' },
      session,
    )
    const { result, exceptionDetails } = await this.#connection.send(
      'Runtime.evaluate',
      { expression, contextId, returnByValue: true, timeout: readMs },
      session,
    )
    if (exceptionDetails !== undefined)
      throw new Error(String(exceptionDetails.exception?.description ?? exceptionDetails.text))
    return result.value
  }
}
