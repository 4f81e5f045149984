import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import type { FilePlace } from '@baize/files'
import type { MailSettings, NetworkSettings } from '@baize/outbound'
import { serverUrls } from '@baize/postgres'
import {
  mailSettings,
  networkSettings,
  type ObservationSettings,
  observationSettings,
  type RenderingSettings,
  renderingSettings,
} from './outbound-variables.ts'
import { portMax, type ReadVariable, readInteger, readWord, SettingsError, url } from './read-variable.ts'

/** Settings read from the environment (contract section 12). */
export type Settings = {
  port: number
  host: string
  /** The port of a worker's metrics; null when it does not serve them. */
  metricsPort: number | null
  baseUrl: string
  logoUrl: string
  imageUrl: string
  dataDirectory: string
  /** Is false when the data directory is the default one in the working directory. */
  isDataDirectorySet: boolean
  files: FilePlace
  /** The URL of PostgreSQL; null for the embedded database. */
  databaseUrl: string | null
  databaseReplicaUrl: string | null
  redisUrl: string | null
  throttlePerMinute: number
  stopDelaySeconds: number
  /** The number of whole months of usage records to store besides the current one; null for all. */
  usageKeepMonths: number | null
  trustProxy: number | string[] | null
  logLevel: LogLevel
  /** A mailto or https URL for reports of vulnerabilities; null for the public form. */
  securityContact: string | null
  /** Null when the instance sends no mail, and operators pass on sign-in links. */
  mail: MailSettings | null
  network: NetworkSettings
  observation: ObservationSettings
  rendering: RenderingSettings
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

export type Environment = Record<string, string | undefined>

const throttlePerMinuteDefault = 100
const usageKeepMonthsMax = 1_200
/** Half of the time that a stop may take. */
const stopDelaySecondsMax = 10
const portDefault = 8080
const hostDefault = '127.0.0.1'
/** This path is relative to the working directory. */
const dataDirectoryDefault = './var'

/**
 * Reads the environment, which no other code does. An empty value counts as not set, as in a compose file.
 */
export function readSettings(environment: Environment = process.env): Settings {
  const read = (name: string) => environment[name]?.trim() || null
  const port = readInteger(read, 'PORT', { minimum: 1, maximum: portMax }) ?? portDefault
  const host = hostName(read)
  const baseUrl = website(read, 'BASE_URL') ?? `http://${nameOfHost(host)}:${port}`
  const dataDirectory = resolve(read('DATA_DIR') ?? dataDirectoryDefault)
  const databaseUrl = database(read, 'DATABASE_URL', ['read-write', 'primary'])
  const databaseReplicaUrl = database(read, 'DATABASE_REPLICA_URL', ['standby', 'prefer-standby'])
  if (databaseReplicaUrl !== null && databaseUrl === null) {
    throw new SettingsError('DATABASE_REPLICA_URL', 'set together with DATABASE_URL', '…')
  }
  return {
    port,
    host,
    metricsPort: readInteger(read, 'METRICS_PORT', { minimum: 1, maximum: portMax }),
    baseUrl: withoutSlash(baseUrl),
    logoUrl: withoutSlash(website(read, 'LOGO_URL') ?? `${withoutSlash(baseUrl)}/logos`),
    imageUrl: withoutSlash(website(read, 'IMAGE_URL') ?? `${withoutSlash(baseUrl)}/images`),
    dataDirectory,
    isDataDirectorySet: read('DATA_DIR') !== null,
    files: filePlace(read, dataDirectory),
    databaseUrl,
    databaseReplicaUrl,
    redisUrl: redis(read),
    throttlePerMinute:
      readInteger(read, 'THROTTLE_PER_MINUTE', { minimum: 0, maximum: 1_000_000 }) ??
      throttlePerMinuteDefault,
    stopDelaySeconds:
      readInteger(read, 'STOP_DELAY_SECONDS', { minimum: 0, maximum: stopDelaySecondsMax }) ?? 0,
    usageKeepMonths: readInteger(read, 'USAGE_KEEP_MONTHS', { minimum: 1, maximum: usageKeepMonthsMax }),
    trustProxy: trustProxy(read('TRUST_PROXY')),
    logLevel: readWord(read, 'LOG_LEVEL', logLevels, 'info'),
    securityContact: url(read, 'SECURITY_CONTACT', ['mailto:', 'https:']),
    mail: mailSettings(read, baseUrl),
    network: networkSettings(read),
    observation: observationSettings(read),
    rendering: renderingSettings(read),
  }
}

/** Replaces the default address by its name, because browsers make passkeys for names only. */
function nameOfHost(host: string): string {
  if (host === hostDefault) return 'localhost'
  return isIP(host) === 6 ? `[${host}]` : host
}

/** Whether commands in the same folder find this instance without DATA_DIR. */
export const isDefaultDataDirectory = (path: string) => path === resolve(dataDirectoryDefault)

/** Returns a command line that sets a variable in the user's shell. */
export function setVariable(name: string, value: string): string {
  if (process.platform === 'win32') return `$env:${name} = '${value.replaceAll("'", "''")}'`
  return `export ${name}='${value.replaceAll("'", `'\\''`)}'`
}

const withoutSlash = (text: string) => text.replace(/\/+$/, '')

/** Reads a base URL, to which paths are appended. */
function website(read: ReadVariable, name: string): string | null {
  const text = url(read, name, ['http:', 'https:'])
  if (text !== null && /[?#]/.test(text)) throw new SettingsError(name, 'a URL without ? and #', text)
  return text
}

const bucketLocation = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*)\/?$/
/** Requires two letters, because a single letter is a Windows drive. */
const scheme = /^[a-z][a-z0-9+.-]+:/i

/** Reads a local folder or a bucket. The AWS SDK finds the credentials of a bucket. */
function filePlace(read: ReadVariable, dataDirectory: string): FilePlace {
  const text = read('FILES_URL')
  if (text === null) return { kind: 'folder', path: join(dataDirectory, 'files') }
  const [, bucket, path = ''] = bucketLocation.exec(text) ?? []
  if (bucket !== undefined) {
    const variable = read('AWS_ENDPOINT_URL_S3') === null ? 'AWS_ENDPOINT_URL' : 'AWS_ENDPOINT_URL_S3'
    return {
      kind: 'bucket',
      bucket,
      prefix: path === '' ? '' : `${path.slice(1)}/`,
      endpoint: url(read, variable, ['http:', 'https:']),
      region: read('AWS_REGION') ?? read('AWS_DEFAULT_REGION'),
    }
  }
  if (scheme.test(text)) throw new SettingsError('FILES_URL', 'a folder or s3://bucket/prefix', '…')
  return { kind: 'folder', path: resolve(text) }
}

/** Returns the value of FILES_URL, or null for the default. */
export function filesUrlOf(files: FilePlace, dataDirectory: string): string | null {
  if (files.kind === 'bucket') return `s3://${files.bucket}/${files.prefix}`
  return files.path === join(dataDirectory, 'files') ? null : files.path
}

/**
 * Refuses the parameter `options`, which could override the search path that separates customers from the
 * demo.
 */
function database(read: ReadVariable, name: string, attributes: string[]): string | null {
  const text = read(name)
  if (text === null) return null
  const urls = serverUrls(text) ?? []
  const first = url(() => urls[0] ?? text, name, ['postgres:', 'postgresql:']) ?? ''
  if (urls.length === 0) throw new SettingsError(name, 'a URL with 1 to 16 hosts, as of libpq', '…')
  const { searchParams } = new URL(first)
  if (searchParams.has('options')) {
    throw new SettingsError(name, 'a URL without the parameter "options"', '…')
  }
  const wanted = searchParams.get('target_session_attrs')
  if (wanted !== null && !attributes.includes(wanted)) {
    throw new SettingsError(name, `a URL whose target_session_attrs is ${attributes.join(' or ')}`, '…')
  }
  return text
}

/** Requires an empty path or the number of a database. */
function redis(read: ReadVariable): string | null {
  const text = url(read, 'REDIS_URL', ['redis:', 'rediss:'])
  if (text !== null && !/^\/?\d{0,4}$/.test(new URL(text).pathname))
    throw new SettingsError('REDIS_URL', 'a URL whose path is empty or the number of a database', '…')
  return text
}

/** Reads an address to listen on that also fits into a URL. */
function hostName(read: ReadVariable): string {
  const text = read('HOST') ?? hostDefault
  const isName = /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(text) && URL.canParse(`http://${text}`)
  if (isIP(text) === 0 && !isName) {
    throw new SettingsError('HOST', 'an IP address or a host name, without port', text)
  }
  return text
}

const hopsMax = 32

function trustProxy(text: string | null): number | string[] | null {
  if (text === null) return null
  if (/^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= hopsMax) return Number(text)
  const parts = text.split(',').map(part => part.trim())
  if (!parts.every(isAddressOrNetwork))
    throw new SettingsError(
      'TRUST_PROXY',
      `a number of hops (1 to ${hopsMax}), or addresses and CIDRs separated by commas`,
      text,
    )
  return parts
}

function isAddressOrNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  const bitsMax = version === 6 ? 128 : 32
  // A prefix of 0 bits would trust every client.
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= bitsMax)
}
