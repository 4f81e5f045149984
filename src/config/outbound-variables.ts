import { isIP } from 'node:net'
import { resolve } from 'node:path'
import type { ConnectTo, MailSettings, NetworkSettings } from '@baize/outbound'
import {
  hostAndPort,
  hostsAndPorts,
  portMax,
  type ReadVariable,
  readInteger,
  readWord,
  SettingsError,
  url,
} from './read-variable.ts'

/** Settings for checks of sites (contract section 15). */
export type ObservationSettings = {
  /** Is false when no check may start. */
  isOn: boolean
  /** The longest time that a request waits for its check. */
  waitSeconds: number
  captureRetentionDays: number
  /** The number of background checks per day; 0 turns them off. */
  perDay: number
  /** A URL or a file. When null, the shipped copy is used and refreshed from IANA. */
  rdapBootstrap: string | null
  /** The URLs of sources, with `{domain}` in them; null when there is no such source. */
  firmographicsUrl: string | null
  contactsUrl: string | null
  /** The country from which sites are seen, such as `MT`; null when it is not configured. */
  country: string | null
}

/** Settings for rendering pages in Chromium. */
export type RenderingSettings = {
  isOn: boolean
  /** The path of Chromium; null for the usual places. */
  chromiumPath: string | null
  hasSandbox: boolean
  rendersAtOnce: number
}

const rendersAtOnceDefault = 2
const rendersAtOnceMax = 16

export function renderingSettings(read: ReadVariable): RenderingSettings {
  const path = read('CHROMIUM_PATH')
  return {
    isOn: readWord(read, 'RENDER', ['on', 'off'], 'on') === 'on',
    chromiumPath: path === null ? null : resolve(path),
    hasSandbox: readWord(read, 'CHROMIUM_NO_SANDBOX', ['0', '1'], '0') === '0',
    rendersAtOnce:
      readInteger(read, 'RENDERS_AT_ONCE', { minimum: 1, maximum: rendersAtOnceMax }) ?? rendersAtOnceDefault,
  }
}

const waitSecondsMax = 240
const retentionDaysDefault = 400
const retentionDaysMax = 36_500
const perDayMax = 1_000_000
const listMax = 20

export function observationSettings(read: ReadVariable): ObservationSettings {
  return {
    isOn: readWord(read, 'OBSERVE', ['on', 'off'], 'on') === 'on',
    waitSeconds:
      readInteger(read, 'CHECK_WAIT_SECONDS', { minimum: 1, maximum: waitSecondsMax }) ?? waitSecondsMax,
    captureRetentionDays:
      readInteger(read, 'CAPTURE_RETENTION_DAYS', { minimum: 1, maximum: retentionDaysMax }) ??
      retentionDaysDefault,
    perDay: readInteger(read, 'OBSERVE_PER_DAY', { minimum: 0, maximum: perDayMax }) ?? 0,
    rdapBootstrap: urlOrFile(read, 'RDAP_BOOTSTRAP'),
    firmographicsUrl: urlOfDomain(read, 'FIRMOGRAPHICS_URL'),
    contactsUrl: urlOfDomain(read, 'CONTACTS_URL'),
    country: country(read, 'OUTBOUND_COUNTRY'),
  }
}

/** Allows the hosts that other settings name, each with its port only. */
export function networkSettings(read: ReadVariable): NetworkSettings {
  const { rdapBootstrap, firmographicsUrl, contactsUrl } = observationSettings(read)
  const named = [rdapBootstrap, firmographicsUrl, contactsUrl].flatMap(text =>
    text !== null && URL.canParse(text) ? [originHost(new URL(text))] : [],
  )
  const caFile = read('OUTBOUND_CA_FILE')
  return {
    allowedHosts: [...hostsAndPorts(read, 'OUTBOUND_ALLOW_HOSTS'), ...named],
    dnsServers: dnsServers(read),
    caFile: caFile === null ? null : resolve(caFile),
    connectTo: connectTo(read),
    proxy: url(read, 'OUTBOUND_PROXY', ['http:', 'https:']),
  }
}

function originHost({ protocol, hostname, port }: URL): string {
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
}

function country(read: ReadVariable, name: string): string | null {
  const text = read(name)?.toUpperCase() ?? null
  if (text !== null && !/^[A-Z]{2}$/.test(text)) throw new SettingsError(name, 'a country such as MT', text)
  return text
}

const isWeb = (text: string) => /^https?:\/\//i.test(text)

function urlOrFile(read: ReadVariable, name: string): string | null {
  const text = read(name)
  if (text === null) return null
  return isWeb(text) ? url(read, name, ['http:', 'https:']) : resolve(text)
}

function urlOfDomain(read: ReadVariable, name: string): string | null {
  const text = url(read, name, ['http:', 'https:'])
  if (text === null) return null
  const hasPlace = text.includes('{domain}') && !new URL(text).host.includes('domain')
  if (!hasPlace) throw new SettingsError(name, 'a URL with {domain} in its path or query', '…')
  return text
}

function dnsServers(read: ReadVariable): string[] {
  const text = read('DNS_SERVERS')
  if (text === null) return []
  const servers = text.split(',').map(part => part.trim())
  const isServer = (server: string) => {
    if (isIP(server) !== 0) return true
    const place = hostAndPort(server)
    return place !== null && isIP(place.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')) !== 0
  }
  if (servers.length > listMax || !servers.every(isServer))
    throw new SettingsError('DNS_SERVERS', `at most ${listMax} IP addresses with or without port`, text)
  return servers
}

const connectToShape =
  /^(\*|\[[0-9a-f:.]+\]|[a-z0-9._-]*):(\d{0,5}):(\[[0-9a-f:.]+\]|[a-z0-9._-]*):(\d{0,5})$/i

function connectTo(read: ReadVariable): ConnectTo[] {
  const text = read('OUTBOUND_CONNECT_TO')
  if (text === null) return []
  const rules = text.split(',').map(part => connectToShape.exec(part.trim()))
  if (rules.length > listMax || !rules.every(isConnectTo))
    throw new SettingsError(
      'OUTBOUND_CONNECT_TO',
      `at most ${listMax} of host:port:host:port, separated by commas (*:443:127.0.0.1:8443)`,
      text,
    )
  return rules.map(rule => {
    const [, host, port, toHost, toPort] = rule as unknown as [string, string, string, string, string]
    return {
      host: host === '*' || host === '' ? null : host.toLowerCase(),
      port: port === '' ? null : Number(port),
      toHost: toHost === '' ? null : toHost.replace(/^\[(.*)\]$/, '$1'),
      toPort: toPort === '' ? null : Number(toPort),
    }
  })
}

function isConnectTo(rule: RegExpExecArray | null): boolean {
  if (rule === null) return false
  return [rule[2], rule[4]].every(port => port === '' || (Number(port) >= 1 && Number(port) <= portMax))
}

/** Matches an address, or a name with the address in angle brackets. */
const sender = /^(?:[^<>"@\r\n]+ )?<?[^\s<>"@]+@[^\s<>"@]+>?$/

export function mailSettings(read: ReadVariable, baseUrl: string): MailSettings | null {
  const smtpUrl = url(read, 'SMTP_URL', ['smtp:', 'smtps:'])
  const from = read('MAIL_FROM')
  if (from !== null && !sender.test(from))
    throw new SettingsError('MAIL_FROM', 'an address, or a name and <address>', from)
  if (smtpUrl === null) return null
  if (new URL(smtpUrl).hostname === '') throw new SettingsError('SMTP_URL', 'a URL with a host', '…')
  return { smtpUrl, from: from ?? `baize@${new URL(baseUrl).hostname}` }
}
