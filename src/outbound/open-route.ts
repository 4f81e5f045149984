import { readFileSync } from 'node:fs'
import type { LookupFunction, Socket } from 'node:net'
import { createSecureContext, rootCertificates, type SecureContext, type TLSSocket } from 'node:tls'
import type { buildConnector, Dispatcher } from 'undici'
import type { Target } from './check-target.ts'
import { isPublicAddress } from './check-target.ts'
import type { ConnectTo, NetworkSettings } from './network-settings.ts'
import { OutboundError } from './outbound-error.ts'
import { type Address, resolveAddresses } from './resolve-records.ts'

/** Opens a client for one request to another host, for fetchPage and fetchFile alike. */

export type RouteOptions = {
  signal: AbortSignal
  /**
   * The limit of connecting, of the headers, and between two pieces of the body. With 0 only `signal`
   * limits.
   */
  silenceMsMax: number
  /** Certificates that are trusted besides the usual ones, in PEM. */
  extraCa?: string | undefined
  onSecure?: (socket: TLSSocket) => void
}

type Connector = ReturnType<typeof buildConnector>
type HostAndPort = { host: string; port: number }

export const portOf = (url: URL) => Number(url.port || (url.protocol === 'https:' ? 443 : 80))

/**
 * Resolves the name once, judges each address, and connects to a judged one. The name cannot
 * resolve to another address afterwards. A proxy is asked to connect to the judged address, too. undici is
 * loaded on first use because it needs 19 MB of memory.
 */
export async function openRoute(
  { url, isAllowedHost }: Target,
  network: NetworkSettings,
  { signal, silenceMsMax, extraCa, onSecure }: RouteOptions,
): Promise<Dispatcher & { destroy(): Promise<void> }> {
  const addresses = await unlessAborted(resolveAddresses(network, url.hostname), signal)
  const judged = judge(url.hostname, { addresses, isAllowedHost })
  const { Agent, buildConnector } = await import('undici')
  const replaced = connectTarget(network.connectTo, url.hostname, portOf(url))
  const connector = buildConnector({
    ...authorities(network, extraCa),
    ...(replaced === null ? { lookup: always(judged) } : {}),
    allowH2: false,
    maxCachedSessions: 0,
    timeout: silenceMsMax,
  })
  const connect: Connector = async (options, callback) => {
    const isSecure = url.protocol === 'https:'
    const target = {
      ...options,
      // The name is empty without encryption, because undici would otherwise resolve it.
      servername: isSecure ? url.hostname : '',
      hostname: replaced?.host ?? url.hostname,
      port: String(replaced?.port ?? portOf(url)),
    }
    const whenConnected: Parameters<Connector>[1] = (...[error, socket]) => {
      if (error !== null) return callback(error, null)
      if ('getPeerX509Certificate' in socket) onSecure?.(socket as TLSSocket)
      callback(null, socket)
    }
    if (network.proxy === null) return connector(target, whenConnected)
    try {
      const [first] = judged as [Address]
      const to = replaced ?? { host: first.address, port: portOf(url) }
      const httpSocket = await connectThrough(network, to, signal)
      if (isSecure) connector({ ...target, httpSocket }, whenConnected)
      else whenConnected(null, httpSocket)
    } catch (error) {
      callback(error as Error, null)
    }
  }
  const limits = { headersTimeout: silenceMsMax, bodyTimeout: silenceMsMax }
  return new Agent({ ...limits, connections: 1, pipelining: 0, connect })
}

type Judging = { addresses: Awaited<ReturnType<typeof resolveAddresses>>; isAllowedHost: boolean }

function judge(host: string, { addresses: resolved, isAllowedHost }: Judging): Address[] {
  if (resolved.outcome !== 'found') {
    const code = resolved.outcome === 'not_found' ? 'ENOTFOUND' : 'EAI_AGAIN'
    throw Object.assign(new Error(`${host} does not resolve`), { code })
  }
  if (isAllowedHost) return resolved.addresses
  const judged = resolved.addresses.filter(({ address }) => isPublicAddress(address))
  if (judged.length > 0) return judged
  const all = resolved.addresses.map(({ address }) => address).join(', ') || 'nothing'
  throw new OutboundError('refused_address', `${host} resolves to ${all}, which is not a public address`)
}

/** Returns a look-up that returns the judged addresses. */
function always(addresses: Address[]): LookupFunction {
  return (_host, options, callback) => {
    const [first] = addresses as [Address]
    if (options.all) callback(null, addresses)
    else callback(null, first.address, first.family)
  }
}

/** Opens a tunnel for both schemes, because a proxy would replace the `Host` of an unencrypted request. */
async function connectThrough(
  network: NetworkSettings,
  to: HostAndPort,
  signal: AbortSignal,
): Promise<Socket> {
  const { Client } = await import('undici')
  const { origin, username, password } = new URL(network.proxy ?? '')
  const credentials = [username, password].map(decodeURIComponent).join(':')
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`
  const host = to.host.includes(':') ? `[${to.host}]` : to.host
  const client = new Client(origin, { connect: { ...authorities(network), timeout: 0 } })
  try {
    const { statusCode, socket } = await client.connect({
      path: `${host}:${to.port}`,
      headers: {
        host: `${host}:${to.port}`,
        ...(username === '' ? {} : { 'proxy-authorization': authorization }),
      },
      signal,
    })
    if (statusCode === 200) return socket as Socket
    socket.on('error', () => {}).destroy()
    throw new OutboundError('unreachable', `the proxy responded with status ${statusCode}`)
  } catch (cause) {
    signal.throwIfAborted()
    if (cause instanceof OutboundError) throw cause
    throw new OutboundError('unreachable', 'the proxy cannot be reached', { cause })
  }
}

const trusting = new Map<string, SecureContext>()

/**
 * Adds authorities to the default ones, which stay trusted. The file is read once. An intermediate
 * certificate completes a chain to a trusted root; alone it proves nothing.
 */
function authorities({ caFile }: NetworkSettings, extraCa?: string): { secureContext?: SecureContext } {
  if (caFile === null && extraCa === undefined) return {}
  const key = `${caFile}\n${extraCa}`
  const added = () => [caFile === null ? [] : readFileSync(caFile, 'utf8'), extraCa ?? []].flat()
  const secureContext = trusting.get(key) ?? createSecureContext({ ca: [...rootCertificates, ...added()] })
  trusting.set(key, secureContext)
  return { secureContext }
}

function unlessAborted<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/**
 * Returns the replaced target of a connection, or null for the host itself. The first match counts, as with
 * curl.
 */
function connectTarget(
  rules: readonly ConnectTo[],
  host: string,
  port: number,
): { host: string; port: number } | null {
  const rule = rules.find(
    each => (each.host === null || each.host === host) && (each.port === null || each.port === port),
  )
  return rule === undefined ? null : { host: rule.toHost ?? host, port: rule.toPort ?? port }
}
