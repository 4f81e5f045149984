import { type Operation, Operations } from './api.ts'
import { BaizeError } from './api-error.ts'
import { Call, type CallOptions } from './call.ts'
import { Pages, type PagesOptions } from './pages.ts'
import { type Settings, send } from './send.ts'

export type BaizeOptions = {
  /** Default: the variable BAIZE_API_KEY. */
  apiKey?: string | undefined
  /** Default: the variable BAIZE_BASE_URL, or a service on this machine. */
  baseUrl?: string | undefined
  /** Of each call, after its first attempt. */
  maxRetries?: number | undefined
  /** Of each attempt. A call with `max_age_days` may take 240 seconds. */
  timeoutMs?: number | undefined
  /** Before the first retry; then twice as long each time, up to 8 seconds. A `Retry-After` is added to it. */
  retryDelayMs?: number | undefined
  /** Replaces the global `fetch`, to send through a proxy for instance. */
  fetch?: typeof fetch | undefined
}

const localBaseUrl = 'http://127.0.0.1:8080'
const maxRetriesDefault = 2
const timeoutMsDefault = 300_000
const retryDelayMsDefault = 500

/** A client of the Baize API. */
export class Baize extends Operations {
  readonly #settings: Settings

  /** Of the service, without a slash at its end. */
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

/** undefined where there are no variables, or it is empty. */
const variable = (name: string): string | undefined => globalThis.process?.env[name]?.trim() || undefined
