import { resolve } from 'node:path'
import { isIP } from 'node:net'

/** What the environment decides, typed and checked (contract section 12). */
export type Settings = {
  port: number
  host: string
  baseUrl: string
  logoUrl: string
  dataDirectory: string
  /** null: the embedded database. */
  databaseUrl: string | null
  databaseReplicaUrl: string | null
  redisUrl: string | null
  throttlePerMinute: number
  trustProxy: number | string[] | null
  logLevel: LogLevel
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** A variable that is not understood stops the start, by name. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'

  constructor(variable: string, takes: string, value: string) {
    super(`${variable}=${value} is not understood: it takes ${takes}.`)
  }
}

export type Environment = Record<string, string | undefined>

const throttlePerMinuteDefault = 100
const portDefault = 8080

/** The only reader of the environment. Set but empty reads as not set, as in a compose file. */
export function readSettings(environment: Environment = process.env): Settings {
  const read = (name: string) => environment[name]?.trim() || null
  const port = integer(read, 'PORT', portDefault, 0, 65_535)
  const host = read('HOST') ?? '127.0.0.1'
  const baseUrl = url(read, 'BASE_URL', ['http:', 'https:']) ?? `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`
  const databaseUrl = url(read, 'DATABASE_URL', ['postgres:', 'postgresql:'])
  const databaseReplicaUrl = url(read, 'DATABASE_REPLICA_URL', ['postgres:', 'postgresql:'])
  if (databaseReplicaUrl !== null && databaseUrl === null) {
    throw new SettingsError('DATABASE_REPLICA_URL', 'effect beside DATABASE_URL only', databaseReplicaUrl)
  }
  return {
    port,
    host,
    baseUrl: withoutSlash(baseUrl),
    logoUrl: withoutSlash(url(read, 'LOGO_URL', ['http:', 'https:']) ?? `${withoutSlash(baseUrl)}/logos`),
    dataDirectory: resolve(read('DATA_DIR') ?? './var'),
    databaseUrl,
    databaseReplicaUrl,
    redisUrl: url(read, 'REDIS_URL', ['redis:', 'rediss:']),
    throttlePerMinute: integer(read, 'THROTTLE_PER_MINUTE', throttlePerMinuteDefault, 0, 1_000_000),
    trustProxy: trustProxy(read('TRUST_PROXY')),
    logLevel: word(read, 'LOG_LEVEL', logLevels, 'info'),
  }
}

type Read = (name: string) => string | null

const withoutSlash = (text: string) => text.replace(/\/+$/, '')

function integer(read: Read, name: string, fallback: number, minimum: number, maximum: number): number {
  const text = read(name)
  if (text === null) return fallback
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= minimum && value <= maximum)) {
    throw new SettingsError(name, `a whole number from ${minimum} to ${maximum}`, text)
  }
  return value
}

/** The value of a URL variable is not repeated in the error: it may hold a password. */
function url(read: Read, name: string, protocols: string[]): string | null {
  const text = read(name)
  if (text === null) return null
  if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) {
    throw new SettingsError(name, `a URL that begins with ${protocols.map(each => `${each}//`).join(' or ')}`, '…')
  }
  return text
}

function word<const Words extends readonly string[]>(read: Read, name: string, words: Words, fallback: Words[number]): Words[number] {
  const text = read(name)
  if (text === null) return fallback
  const found = words.find(each => each === text)
  if (found === undefined) throw new SettingsError(name, `one of ${words.join(', ')}`, text)
  return found
}

const cidr = /^[0-9a-fA-F:.]+(\/\d{1,3})?$/
const hopsMax = 32

function trustProxy(text: string | null): number | string[] | null {
  if (text === null) return null
  if (/^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= hopsMax) return Number(text)
  const parts = text.split(',').map(part => part.trim())
  const valid = parts.every(part => cidr.test(part) && isIP(part.split('/')[0] ?? '') !== 0)
  if (!valid) throw new SettingsError('TRUST_PROXY', `a number of hops (1 to ${hopsMax}) or addresses and CIDRs, comma by comma`, text)
  return parts
}
