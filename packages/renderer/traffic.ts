import type { Connection, Data } from './cdp.ts'
import type { ProxyForVisit, Rendered } from './rendering.ts'

/** Pictures, fonts and media are answered at once: their address is the evidence. */
const answered: Record<string, { type: string; body: string }> = {
  Image: { type: 'image/gif', body: 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7' },
  Font: { type: 'font/woff2', body: '' },
  Media: { type: 'video/mp4', body: '' },
}
/** Counts also requests that are answered at once. More are refused. */
const allRequestsMax = 5_000
const urlsMax = 20
const hostsMax = 500
const headersMax = 100
const charactersMax = 4_096
const errorsMax = 20
const errorCharactersMax = 300
const framesMax = 500
/** A request that takes longer may be a stream that never ends. */
const streamAfterMs = 4_000

type Seen = Pick<Rendered, 'status' | 'headers' | 'chain' | 'consoleErrors' | 'requests'>
type Bounds = { requestsMax: number; proxy: ProxyForVisit; mayRequest(url: string): Promise<boolean> }

/** Watches the requests of a visit, and answers, refuses or continues each. */
export class Traffic {
  readonly #connection: Connection
  readonly #bounds: Bounds
  readonly chain: string[] = []
  isCut = false
  #mainFrame = ''
  #status: number | null = null
  #headers: Record<string, string> = {}
  #isLoaded = false
  #sent = 0
  #all = 0
  #lastAtMs = performance.now()
  readonly #consoleErrors: string[] = []
  readonly #sessions = new Set<string>()
  /** The session of each frame. */
  readonly #frames = new Map<string, string>()
  readonly #open = new Map<string, { atMs: number; key: string }>()
  readonly #counts = new Map<string, { host: string; type: string; count: number; bytes: number }>()

  constructor(connection: Connection, bounds: Bounds) {
    this.#connection = connection
    this.#bounds = bounds
  }

  /** Watches a page, or a frame of another origin, which Chromium runs in a process of its own. */
  async watch(session: string, mainFrame?: string): Promise<void> {
    if (mainFrame !== undefined) this.#mainFrame = mainFrame
    this.#sessions.add(session)
    this.#connection.listen(session, (method, params) => this.#handle(method, params, session))
    const send = (method: string, params: object = {}) => this.#connection.send(method, params, session)
    const onlyFrames = [{ type: 'iframe', exclude: false }, { exclude: true }]
    await Promise.all([
      send('Page.enable'),
      send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 }),
      send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }),
      send('Log.enable'),
      send('Target.setAutoAttach', {
        autoAttach: true,
        waitForDebuggerOnStart: true,
        flatten: true,
        filter: onlyFrames,
      }),
    ])
  }

  end(): void {
    for (const session of this.#sessions) this.#connection.unlisten(session)
  }

  /** Returns since when nothing was requested or received, but for streams. 0 before the page is loaded. */
  quietForMs(): number {
    const now = performance.now()
    const isBusy = [...this.#open.values()].some(({ atMs }) => now - atMs < streamAfterMs)
    return this.#isLoaded && !isBusy ? now - this.#lastAtMs : 0
  }

  frames(): [frame: string, session: string][] {
    return [...this.#frames]
  }

  seen(): Seen {
    return {
      status: this.#status,
      headers: this.#headers,
      chain: this.chain,
      consoleErrors: this.#consoleErrors,
      requests: [...this.#counts.values()],
    }
  }

  #handle(method: string, params: Data, session: string): void {
    if (method === 'Fetch.requestPaused') void this.#answer(params, session)
    else if (method === 'Network.requestWillBeSent') this.#begin(params)
    else if (method === 'Network.responseReceived') this.#respond(params)
    else if (method === 'Network.loadingFinished' || method === 'Network.loadingFailed') this.#finish(params)
    else if (method === 'Page.loadEventFired') this.#load()
    else if (method === 'Page.frameAttached') this.#addFrame(params.frameId, session)
    else if (method === 'Page.frameDetached' && params.reason !== 'swap') this.#frames.delete(params.frameId)
    else if (method === 'Page.javascriptDialogOpening')
      this.#connection.post('Page.handleJavaScriptDialog', { accept: false }, session)
    else if (method === 'Target.attachedToTarget') void this.#attach(params)
    else if (method === 'Log.entryAdded' && params.entry.level === 'error') this.#addError(params.entry.text)
  }

  #load(): void {
    this.#isLoaded = true
    this.#lastAtMs = performance.now()
  }

  #addFrame(frame: string, session: string): boolean {
    const isKnown = this.#frames.has(frame) || this.#frames.size < framesMax
    if (isKnown) this.#frames.set(frame, session)
    this.isCut ||= !isKnown
    return isKnown
  }

  #addError(text: unknown): void {
    if (this.#consoleErrors.length < errorsMax)
      this.#consoleErrors.push(String(text).slice(0, errorCharactersMax))
  }

  /** A frame beyond the limit stays empty: it waits for a command that never comes. */
  async #attach({ sessionId, targetInfo }: Data): Promise<void> {
    if (!this.#addFrame(targetInfo.targetId, sessionId)) return
    await this.watch(sessionId).catch(() => {})
    this.#connection.post('Runtime.runIfWaitingForDebugger', {}, sessionId)
  }

  async #answer({ requestId, resourceType, request }: Data, session: string): Promise<void> {
    const empty = answered[resourceType]
    this.#all += 1
    if (empty !== undefined && this.#all <= allRequestsMax) {
      const responseHeaders = [{ name: 'content-type', value: empty.type }]
      this.#connection.post(
        'Fetch.fulfillRequest',
        { requestId, responseCode: 200, responseHeaders, body: empty.body },
        session,
      )
      return
    }
    this.#sent += 1
    const { requestsMax, proxy, mayRequest } = this.#bounds
    const isOver = this.#sent > requestsMax || proxy.isUsedUp()
    this.isCut ||= isOver
    const isRefused = isOver || !(await mayRequest(String(request.url)).catch(() => false))
    if (isRefused)
      this.#connection.post('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' }, session)
    else this.#connection.post('Fetch.continueRequest', { requestId }, session)
  }

  #begin({ requestId, request, type = 'Other', frameId }: Data): void {
    this.#lastAtMs = performance.now()
    const url = URL.parse(String(request.url))
    if (url === null || !/^https?:$/.test(url.protocol)) return
    if (type === 'Document' && frameId === this.#mainFrame) {
      if (this.chain.length < urlsMax) this.chain.push(url.href.slice(0, charactersMax))
      this.#isLoaded = false
    }
    const key = `${url.hostname} ${type}`
    const counted = this.#counts.get(key) ?? { host: url.hostname, type: String(type), count: 0, bytes: 0 }
    counted.count += 1
    if (this.#counts.size < hostsMax) this.#counts.set(key, counted)
    if (this.#open.size < allRequestsMax) this.#open.set(requestId, { atMs: performance.now(), key })
  }

  #respond({ type, frameId, response }: Data): void {
    if (type !== 'Document' || frameId !== this.#mainFrame) return
    this.#status = Number(response.status)
    this.#headers = Object.fromEntries(
      Object.entries(response.headers as Record<string, string>)
        .slice(0, headersMax)
        .map(([name, value]) => [name.toLowerCase(), String(value).slice(0, charactersMax)]),
    )
  }

  #finish({ requestId, encodedDataLength = 0 }: Data): void {
    this.#lastAtMs = performance.now()
    const opened = this.#open.get(requestId)
    this.#open.delete(requestId)
    const counted = this.#counts.get(opened?.key ?? '')
    if (counted !== undefined) counted.bytes += Number(encodedDataLength)
  }
}
