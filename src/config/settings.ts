import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import type { MailSettings } from '../core/mail-settings.ts'
import type { NetworkSettings } from '../core/network-settings.ts'
import { mailSettings } from './mail-variables.ts'
import { networkSettings, type ObservationSettings, observationSettings } from './network-variables.ts'
import { integer, portMax, type Read, SettingsError, url, word } from './read-variable.ts'

/** Settings from the environment (contract section 12). */
export type Settings = {
  port: number
  host: string
  /** Serves the metrics of a worker; null: not served. */
  metricsPort: number | null
  baseUrl: string
  logoUrl: string
  imageUrl: string
  dataDirectory: string
  /** Otherwise it is the default, in the working directory. */
  isDataDirectorySet: boolean
  files: FilePlace
  /** null: the embedded database. */
  databaseUrl: string | null
  databaseReplicaUrl: string | null
  redisUrl: string | null
  throttlePerMinute: number
  /** Whole months of usage records stored besides the current one; null: all. */
  usageKeepMonths: number | null
  trustProxy: number | string[] | null
  logLevel: LogLevel
  /** null: sign-in links are handed out by the operator. */
  mail: MailSettings | null
  network: NetworkSettings
  observation: ObservationSettings
}

/** The store of exports and logos. The prefix of a bucket is empty or ends with a slash. */
export type FilePlace =
  | { kind: 'folder'; path: string }
  | {
      kind: 'bucket'
      bucket: string
      prefix: string
      /** null: Amazon's. */
      endpoint: string | null
      region: string | null
    }

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

export type Environment = Record<string, string | undefined>

const throttlePerMinuteDefault = 100
const usageKeepMonthsMax = 1_200
const portDefault = 8080
const hostDefault = '127.0.0.1'
/** Relative to the working directory. */
const dataDirectoryDefault = './var'

/** The only reader of the environment. An empty value counts as not set, as in a compose file. */
export function readSettings(environment: Environment = process.env): Settings {
  const read = (name: string) => environment[name]?.trim() || null
  const port = integer(read, 'PORT', { minimum: 1, maximum: portMax }) ?? portDefault
  const host = hostName(read)
  const baseUrl = website(read, 'BASE_URL') ?? `http://${nameOfHost(host)}:${port}`
  const dataDirectory = resolve(read('DATA_DIR') ?? dataDirectoryDefault)
  const databaseUrl = database(read, 'DATABASE_URL')
  const databaseReplicaUrl = database(read, 'DATABASE_REPLICA_URL')
  if (databaseReplicaUrl !== null && databaseUrl === null) {
    throw new SettingsError('DATABASE_REPLICA_URL', 'set together with DATABASE_URL', '…')
  }
  return {
    port,
    host,
    metricsPort: integer(read, 'METRICS_PORT', { minimum: 1, maximum: portMax }),
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
      integer(read, 'THROTTLE_PER_MINUTE', { minimum: 0, maximum: 1_000_000 }) ?? throttlePerMinuteDefault,
    usageKeepMonths: integer(read, 'USAGE_KEEP_MONTHS', { minimum: 1, maximum: usageKeepMonthsMax }),
    trustProxy: trustProxy(read('TRUST_PROXY')),
    logLevel: word(read, 'LOG_LEVEL', logLevels, 'info'),
    mail: mailSettings(read, baseUrl),
    network: networkSettings(read),
    observation: observationSettings(read),
  }
}

/** Browsers make passkeys for names only, so the default address is called by its name. */
function nameOfHost(host: string): string {
  if (host === hostDefault) return 'localhost'
  return isIP(host) === 6 ? `[${host}]` : host
}

/** Whether commands run in the same folder find this instance without DATA_DIR. */
export const isDefaultDataDirectory = (path: string) => path === resolve(dataDirectoryDefault)

/** The same database without its password, for people to read. */
export function withoutPassword(databaseUrl: string): string {
  const parsed = new URL(databaseUrl)
  parsed.password = ''
  for (const name of passwordParameters) if (parsed.searchParams.has(name)) parsed.searchParams.delete(name)
  return parsed.href
}

const passwordParameters = ['password', 'sslpassword']

/** A command line that sets a variable in the user's shell. */
export function setVariable(name: string, value: string): string {
  if (process.platform === 'win32') return `$env:${name} = '${value.replaceAll("'", "''")}'`
  return `export ${name}='${value.replaceAll("'", `'\\''`)}'`
}

const withoutSlash = (text: string) => text.replace(/\/+$/, '')

/** A base URL: paths are appended. */
function website(read: Read, name: string): string | null {
  const text = url(read, name, ['http:', 'https:'])
  if (text !== null && /[?#]/.test(text)) throw new SettingsError(name, 'a URL without ? and #', text)
  return text
}

const bucketLocation = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*)\/?$/
/** Two letters at least: one is a Windows drive. */
const scheme = /^[a-z][a-z0-9+.-]+:/i

/** A local folder or a bucket. The AWS SDK finds the credentials of a bucket. */
function filePlace(read: Read, dataDirectory: string): FilePlace {
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

/** The value of FILES_URL; null: the default. */
export function filesUrlOf(files: FilePlace, dataDirectory: string): string | null {
  if (files.kind === 'bucket') return `s3://${files.bucket}/${files.prefix}`
  return files.path === join(dataDirectory, 'files') ? null : files.path
}

/** The parameter `options` would override the search path, which separates customers from the demo. */
function database(read: Read, name: string): string | null {
  const text = url(read, name, ['postgres:', 'postgresql:'])
  if (text !== null && new URL(text).searchParams.has('options')) {
    throw new SettingsError(name, 'a URL without the parameter "options"', '…')
  }
  return text
}

/** The path is empty or the number of a database. */
function redis(read: Read): string | null {
  const text = url(read, 'REDIS_URL', ['redis:', 'rediss:'])
  if (text !== null && !/^\/?\d{0,4}$/.test(new URL(text).pathname))
    throw new SettingsError('REDIS_URL', 'a URL whose path is empty or the number of a database', '…')
  return text
}

/** An address to listen on that also fits a URL. */
function hostName(read: Read): string {
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
