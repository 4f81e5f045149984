import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { PageAnswer } from '../capture-answer.ts'

/** The base URLs of services by top-level domain (RFC 9224). */
type Services = ReadonlyMap<string, readonly string[]>

type DocumentLimits = { timeoutMs: number; bytesMax: number; etag: string | null }
export type AskForDocument = (url: string, limits: DocumentLimits) => Promise<PageAnswer>

export type BootstrapOptions = {
  /** A URL or file (RDAP_BOOTSTRAP); null for the shipped copy, refreshed from IANA. */
  source: string | null
  /** Fetches a new list. With null, as in a command, the shipped copy is not refreshed. */
  ask: AskForDocument | null
  now: () => Date
  /** The pause before the second attempt. The pause before the third is twice as long. */
  attemptGapMs?: number
}

const ianaUrl = 'https://data.iana.org/rdap/dns.json'
const refreshEveryMs = 24 * 60 * 60_000
const retryAfterMs = 60 * 60_000
const timeoutMs = 20_000
const bytesMax = 2 * 1024 * 1024
const attemptsMax = 3
const attemptGapMsDefault = 1_000
const serversMax = 4

/** Finds the RDAP server of a domain. A refresh that fails leaves the last good copy. */
export class RdapBootstrap {
  readonly #options: BootstrapOptions
  #services: Services = shippedServices()
  #etag: string | null = null
  #refreshAtMs = 0
  #refreshing: Promise<void> | null = null

  constructor(options: BootstrapOptions) {
    this.#options = options
  }

  /** Returns base URLs, https first; an empty list if the top-level domain has no server. */
  async serversOf(domain: string): Promise<string[]> {
    const isDue = this.#options.now().getTime() >= this.#refreshAtMs
    if (isDue) this.#refreshing ??= this.#refresh().finally(() => (this.#refreshing = null))
    // The shipped copy serves during a refresh. A source of the operator is awaited the first time.
    if (this.#options.source !== null && this.#refreshAtMs === 0) await this.#refreshing
    const labels = domain.split('.')
    for (const index of labels.keys()) {
      const servers = this.#services.get(labels.slice(index).join('.'))
      if (servers !== undefined) return [...servers]
    }
    return []
  }

  async #refresh(): Promise<void> {
    const services = await this.#load().catch(() => undefined)
    if (services !== undefined && services !== null) this.#services = services
    const afterMs = services === undefined ? retryAfterMs * (0.5 + Math.random()) : refreshEveryMs
    this.#refreshAtMs = this.#options.now().getTime() + afterMs
  }

  /** Returns null if the list is unchanged. */
  async #load(): Promise<Services | null> {
    const { source, ask, attemptGapMs = attemptGapMsDefault } = this.#options
    if (source !== null && !URL.canParse(source)) return readServices(await readFile(source, 'utf8'))
    if (ask === null) return null
    for (let attempt = 1; ; attempt++) {
      const answer = await ask(source ?? ianaUrl, { timeoutMs, bytesMax, etag: this.#etag })
      if ('status' in answer && answer.status === 304) return null
      if ('status' in answer && answer.status === 200 && !answer.truncated) {
        const services = readServices(new TextDecoder().decode(answer.body))
        this.#etag = answer.headers.etag ?? null
        return services
      }
      if (attempt === attemptsMax) throw new Error('the list of RDAP servers cannot be read')
      await pause(attemptGapMs * attempt * (0.5 + Math.random()), undefined, { ref: false })
    }
  }
}

let shipped: Services | null = null

function shippedServices(): Services {
  shipped ??= readServices(readFileSync(new URL('./dns.json', import.meta.url), 'utf8'))
  return shipped
}

/** Throws unless the text is a list of services with web addresses. */
export function readServices(text: string): Services {
  const { services } = JSON.parse(text) as { services?: unknown }
  if (!Array.isArray(services) || services.length === 0) throw new Error('no RDAP services are listed')
  const byLabel = new Map<string, readonly string[]>()
  for (const service of services) {
    const [labels, urls] = Array.isArray(service) ? service : []
    if (!Array.isArray(labels) || !Array.isArray(urls))
      throw new Error('an RDAP service is not a pair of lists')
    const bases = urls.filter(isWeb).toSorted((one, other) => Number(isPlain(one)) - Number(isPlain(other)))
    for (const label of labels)
      if (typeof label === 'string' && bases.length > 0)
        byLabel.set(label.toLowerCase(), bases.slice(0, serversMax))
  }
  return byLabel
}

const isPlain = (url: string) => url.startsWith('http:')
const isWeb = (url: unknown): url is string =>
  typeof url === 'string' && URL.canParse(url) && ['https:', 'http:'].includes(new URL(url).protocol)
