import type { Socket } from 'node:net'
import pg from 'pg'
import { answerWithinMs, askState, beginSession, isSilent, type ServerState } from './server-state.ts'

declare module 'pg' {
  interface ClientConfig {
    /** Chooses the server of each connection. Without it, host and port name the only server. */
    servers?: Servers | undefined
    /** The settings of the session. */
    settings?: Record<string, string> | undefined
  }
}

type Address = { host: string; port: number }

/** A server that is in use is looked at this often, and sooner while it is silent. */
const lookEveryMs = 5_000
const lookAgainAfterMs = 1_000
const silentLooksMax = 3
/** After a refusal no server is asked for this time, so that waiting requests do not flood them. */
const askAgainAfterMs = 250

/** SQLSTATE read_only_sql_transaction, which a standby answers to a write. */
const readOnlyCode = '25006'

/** Means that no server of the URL takes writes. The code lets it count as a lost connection. */
export class ReadOnlyServer extends Error {
  override readonly name = 'ReadOnlyServer'
  readonly code = readOnlyCode

  constructor() {
    super(
      'the database is read only (a standby, or default_transaction_read_only is on): let DATABASE_URL ' +
        'lead to the primary, or name all servers (postgres://one,two/baize)',
    )
  }
}

/**
 * The servers of a URL: the only place that knows hosts, and what a failover is. All connections go to one
 * of them. When it is lost, all are asked which takes writes (or, for a replica, which one follows). When
 * another one does, or the current one has become read only, the connections to the old one are cut. So are
 * those to a server that has become silent, as after a loss of power: their statements would wait for
 * minutes.
 */
export class Servers {
  readonly #urls: readonly string[]
  readonly #addresses: readonly Address[]
  readonly #role: 'primary' | 'replica'
  readonly #onMove: (server: string) => void
  readonly #open = new Set<ServerClient>()
  #current: Address | null
  #last: Address | null
  #finding: Promise<Address> | null = null
  #refusal: { error: unknown; untilMs: number } | null = null
  #watching: NodeJS.Timeout | null = null
  #bytesOfClosed = 0

  /** `onMove` receives the name of another server after a failover. */
  constructor(
    urls: readonly string[],
    role: 'primary' | 'replica',
    onMove: (server: string) => void = () => {},
  ) {
    this.#urls = urls
    this.#onMove = onMove
    // The driver knows the defaults of a URL.
    this.#addresses = urls.map(connectionString => {
      const { host, port } = new pg.Client({ connectionString })
      return { host, port }
    })
    this.#role = role
    this.#current = urls.length === 1 ? (this.#addresses[0] ?? null) : null
    this.#last = this.#current
  }

  get count(): number {
    return this.#urls.length
  }

  /** The server in use; null while it is being looked for. */
  get current(): object | null {
    return this.#current
  }

  async find(): Promise<Address> {
    if (this.#refusal !== null && Date.now() < this.#refusal.untilMs) throw this.#refusal.error
    if (this.#current !== null) return this.#current
    this.#finding ??= this.#ask().finally(() => {
      this.#finding = null
    })
    return this.#finding
  }

  opened(client: ServerClient): void {
    this.#open.add(client)
    client.once('end', () => {
      this.#open.delete(client)
      this.#bytesOfClosed += client.bytesRead
    })
    if (this.#watching === null) this.#lookAfter(lookEveryMs, 0)
  }

  /** Looks at the last server while it has connections. One that sends bytes on any of them is not silent. */
  #lookAfter(ms: number, silentLooks: number): void {
    const before = this.#bytesRead
    this.#watching = setTimeout(async () => {
      const index = this.#lastIndex
      const isSilentNow = index >= 0 && (await isSilent(this.#urls[index] as string))
      const silent = isSilentNow && this.#bytesRead === before ? silentLooks + 1 : 0
      if (silent >= silentLooksMax) this.#cut(this.#addresses[index] as Address)
      this.#watching = null
      if (this.#open.size > 0) this.#lookAfter(silent > 0 ? lookAgainAfterMs : lookEveryMs, silent)
    }, ms).unref()
  }

  get #bytesRead(): number {
    return [...this.#open].reduce((sum, client) => sum + client.bytesRead, this.#bytesOfClosed)
  }

  /** Looks for the server again at the next connection. */
  lost(address: Address | null): void {
    if (this.count > 1 && address === this.#current) this.#current = null
  }

  /**
   * Cuts the connections to a server that changed its role: by default those that are open, also while the
   * server is being looked for. Without another replica, nothing is cut.
   */
  leave(address: Address | null = this.#last): void {
    if (this.#role === 'primary' || this.count > 1) this.#cut(address)
  }

  #cut(address: Address | null): void {
    this.lost(address)
    for (const client of this.#open) if (client.address === address) client.cut()
  }

  /** Returns why a server does not fit, as during a failover. A single replica is judged by ReplicaWatch. */
  problem({ isReadOnly, isStandby }: ServerState): Error | null {
    if (this.#role === 'primary') return isReadOnly ? new ReadOnlyServer() : null
    return this.count === 1 || isStandby ? null : new Error('no server of it follows a primary')
  }

  refuse(error: unknown): void {
    this.#refusal = { error, untilMs: Date.now() + askAgainAfterMs }
  }

  /** Cuts all connections after a write was refused. */
  refusedWrite(address: Address): void {
    if (this.#role === 'primary') this.leave(address)
  }

  async #ask(): Promise<Address> {
    const answers = this.#urls.map((url, index) => this.#askOne(url, this.#addresses[index] as Address))
    const ended = Promise.allSettled(answers)
    try {
      // A replica that still fits is kept, because reads may not go back in time.
      const kept = this.#role === 'replica' ? await answers[this.#lastIndex]?.catch(() => null) : null
      const found = kept ?? (await Promise.any(answers))
      if (this.#last !== null && this.#last !== found) {
        this.leave(this.#last)
        this.#onMove(`${found.host}:${found.port}`)
      }
      this.#current = found
      this.#last = found
      return found
    } catch {
      const errors = (await ended).map(each => (each.status === 'rejected' ? each.reason : null))
      const error = errors.find(each => each instanceof ReadOnlyServer) ?? errors.find(each => each !== null)
      this.refuse(error)
      throw error
    }
  }

  get #lastIndex(): number {
    return this.#last === null ? -1 : this.#addresses.indexOf(this.#last)
  }

  async #askOne(connectionString: string, address: Address): Promise<Address> {
    const problem = this.problem(await askState(connectionString, answerWithinMs))
    if (problem !== null) throw problem
    return address
  }
}

/**
 * Asks a silent peer whether it still knows the connection, as after its restart. The system's default waits
 * for two hours.
 */
const probes: pg.ClientConfig = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }

type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void)

/** A connection to the server that its `servers` choose. All connections of the service are of this class. */
export class ServerClient extends pg.Client {
  readonly #servers: Servers | undefined
  readonly #settings: Record<string, string>
  address: Address | null = null

  constructor(config: pg.ClientConfig = {}) {
    const { servers, settings = {} } = config
    // A pool hides the password from enumeration.
    const visible = { ...config, password: config.password, ...probes }
    super(servers === undefined ? { ...visible, ...optionsOf(settings) } : visible)
    this.#servers = servers
    this.#settings = settings
    this.on('error', () => this.lost()) // The running query fails with this error.
  }

  override connect(): Promise<pg.Client>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<pg.Client> | undefined {
    const connected = this.#servers === undefined ? super.connect() : this.#connectTo(this.#servers)
    if (callback === undefined) return connected
    const report = callback as (error: Error | null, client?: pg.Client) => void
    connected.then(client => report(null, client), report)
    return undefined
  }

  /** Reports that this connection was lost, or that its server is silent. */
  lost(): void {
    this.#servers?.lost(this.address)
  }

  get bytesRead(): number {
    return (this.connection.stream as Socket).bytesRead
  }

  cut(): void {
    this.connection.stream.destroy()
  }

  async #connectTo(servers: Servers): Promise<this> {
    const address = await servers.find()
    // The pool destroys the socket of a connection that takes too long.
    if (this.connection.stream.destroyed) throw new Error('timeout expired')
    this.address = address
    Object.assign(this, address)
    try {
      await super.connect()
      servers.opened(this)
      const problem = servers.problem(await beginSession(this, this.#settings))
      if (problem !== null) {
        servers.refuse(problem)
        throw problem
      }
    } catch (error) {
      servers.lost(address)
      void this.end().catch(() => {})
      throw error
    }
    this.connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code === readOnlyCode) servers.refusedWrite(address)
    })
    return this
  }
}

/** Sends the settings with the start of the connection, which saves a round trip without a pooler. */
function optionsOf(settings: Record<string, string>): pg.ClientConfig {
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)
  return options.length === 0 ? {} : { options: options.join(' ') }
}
