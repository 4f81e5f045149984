import { readFileSync } from 'node:fs'
import { connect, type LookupFunction, type Socket } from 'node:net'
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls'
import { isPublicAddress, type Target } from './check-target.ts'
import type { ConnectTo, NetworkSettings } from './network-settings.ts'
import { OutboundError } from './outbound-error.ts'
import { type Address, resolveAddresses } from './resolve-records.ts'

type HostAndPort = { host: string; port: number }

export const portOf = (url: URL) => Number(url.port || (url.protocol === 'https:' ? 443 : 80))

/** Resolves the name of a target and returns its judged addresses. */
export async function judgedAddresses(
  { url, isAllowedHost }: Target,
  network: NetworkSettings,
): Promise<Address[]> {
  const addresses = await resolveAddresses(network, url.hostname)
  return judge(url.hostname, { addresses, isAllowedHost })
}

/** Connects to judged addresses of a target, directly or through the operator's proxy. */
export async function openSocket(
  url: URL,
  judged: readonly Address[],
  network: NetworkSettings,
  signal: AbortSignal,
): Promise<Socket> {
  const replaced = connectTarget(network.connectTo, url.hostname, portOf(url))
  const [first] = judged as [Address]
  if (network.proxy !== null)
    return connectThrough(network, replaced ?? { host: first.address, port: portOf(url) }, signal)
  const to = replaced ?? { host: url.hostname, port: portOf(url), lookup: always([...judged]) }
  signal.throwIfAborted()
  const socket = connect(to)
  // The option `signal` of `connect` would also end a socket that is connected.
  const abort = () => socket.destroy(signal.reason as Error)
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  socket.once('connect', () => resolve(socket)).once('error', reject)
  signal.addEventListener('abort', abort, { once: true })
  return promise.finally(() => signal.removeEventListener('abort', abort))
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
export function always(addresses: Address[]): LookupFunction {
  return (_host, options, callback) => {
    const [first] = addresses as [Address]
    if (options.all) callback(null, addresses)
    else callback(null, first.address, first.family)
  }
}

/** Opens a tunnel for both schemes, because a proxy would replace the `Host` of an unencrypted request. */
export async function connectThrough(
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
export function authorities(
  { caFile }: NetworkSettings,
  extraCa?: string,
): { secureContext?: SecureContext } {
  if (caFile === null && extraCa === undefined) return {}
  const key = `${caFile}\n${extraCa}`
  const added = () => [caFile === null ? [] : readFileSync(caFile, 'utf8'), extraCa ?? []].flat()
  const secureContext = trusting.get(key) ?? createSecureContext({ ca: [...rootCertificates, ...added()] })
  trusting.set(key, secureContext)
  return { secureContext }
}

/**
 * Returns the replaced target of a connection, or null for the host itself. The first match counts, as with
 * curl.
 */
export function connectTarget(rules: readonly ConnectTo[], host: string, port: number): HostAndPort | null {
  const rule = rules.find(
    each => (each.host === null || each.host === host) && (each.port === null || each.port === port),
  )
  return rule === undefined ? null : { host: rule.toHost ?? host, port: rule.toPort ?? port }
}
