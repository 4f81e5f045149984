import type { TLSSocket } from 'node:tls'
import type { buildConnector, Dispatcher } from 'undici'
import type { Target } from './check-target.ts'
import type { NetworkSettings } from './network-settings.ts'
import { always, authorities, connectTarget, connectThrough, judgedAddresses, portOf } from './open-socket.ts'
import type { Address } from './resolve-records.ts'

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

/**
 * Resolves the name once, judges each address, and connects to a judged one. The name cannot
 * resolve to another address afterwards. A proxy is asked to connect to the judged address, too. undici is
 * loaded on first use because it needs 19 MB of memory.
 */
export async function openRoute(
  target: Target,
  network: NetworkSettings,
  { signal, silenceMsMax, extraCa, onSecure }: RouteOptions,
): Promise<Dispatcher & { destroy(): Promise<void> }> {
  const { url } = target
  const judged = await unlessAborted(judgedAddresses(target, network), signal)
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
    const place = {
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
    if (network.proxy === null) return connector(place, whenConnected)
    try {
      const [first] = judged as [Address]
      const to = replaced ?? { host: first.address, port: portOf(url) }
      const httpSocket = await connectThrough(network, to, signal)
      if (isSecure) connector({ ...place, httpSocket }, whenConnected)
      else whenConnected(null, httpSocket)
    } catch (error) {
      callback(error as Error, null)
    }
  }
  const limits = { headersTimeout: silenceMsMax, bodyTimeout: silenceMsMax }
  return new Agent({ ...limits, connections: 1, pipelining: 0, connect })
}

function unlessAborted<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
