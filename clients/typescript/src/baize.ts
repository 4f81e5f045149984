import { type Operation, Operations } from './api.ts'
import { BaizeError } from './api-error.ts'
import { Call, type CallOptions } from './call.ts'
import { Pages, type PagesOptions } from './pages.ts'
import { type Settings, send } from './send.ts'

export type BaizeOptions = {
  /** The API key. The default is the variable BAIZE_API_KEY. */
  apiKey?: string | undefined
  /**
   * The address of the service. The default is the variable BAIZE_BASE_URL, or a service on this machine.
   */
  baseUrl?: string | undefined
  /** The number of attempts of a call after its first. */
  maxRetries?: number | undefined
  /** Limits each attempt, in milliseconds. A call with `max_age_days` may take 240 seconds. */
  timeoutMs?: number | undefined
  /**
   * The wait before the first retry, in milliseconds. It doubles with each retry, up to 8 seconds. A
   * `Retry-After` is added.
   */
  retryDelayMs?: number | undefined
  /** Replaces the global `fetch`, for example to send through a proxy. */
  fetch?: typeof fetch | undefined
}

const localBaseUrl = 'http://localhost:8080'
const maxRetriesDefault = 2
const timeoutMsDefault = 300_000
const retryDelayMsDefault = 500

/** A client of the Baize API. */
export class Baize extends Operations {
  readonly #settings: Settings

  /** The address of the service without a final slash. */
  get baseUrl(): string {
    return this.#settings.baseUrl
  }

  constructor(options: BaizeOptions = {}) {
    super()
    this.#settings = settingsOf(options)
  }

  protected override call<Answer>(
    operation: Operation,
    params: object,
    options: CallOptions = {},
  ): Call<Answer> {
    return new Call(() => send<Answer>(this.#settings, operation, params, options))
  }

  protected override pages<Answer, Row>(
    operation: Operation,
    params: object,
    options: PagesOptions<Answer> = {},
  ): Pages<Answer, Row> {
    return new Pages(operation, params, options, (sent, each) =>
      send<Answer>(this.#settings, operation, sent, each),
    )
  }
}

function settingsOf(options: BaizeOptions): Settings {
  const apiKey = (options.apiKey ?? variable('BAIZE_API_KEY') ?? '').trim()
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new BaizeError('There is no API key. Set BAIZE_API_KEY, or pass { apiKey: "client_…" }.')
  const baseUrl = options.baseUrl ?? variable('BAIZE_BASE_URL') ?? localBaseUrl
  if (!/^https?:$/.test(parseUrl(baseUrl)?.protocol ?? ''))
    throw new BaizeError(`"baseUrl" is ${JSON.stringify(baseUrl)}; it must be a URL such as ${localBaseUrl}.`)
  return {
    apiKey,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    maxRetries: options.maxRetries ?? maxRetriesDefault,
    timeoutMs: options.timeoutMs ?? timeoutMsDefault,
    retryDelayMs: options.retryDelayMs ?? retryDelayMsDefault,
    fetch: options.fetch ?? globalThis.fetch,
  }
}

const parseUrl = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null)

/** Reads an environment variable. Returns undefined if it is empty, or if the runtime has no variables. */
const variable = (name: string): string | undefined => globalThis.process?.env[name]?.trim() || undefined
