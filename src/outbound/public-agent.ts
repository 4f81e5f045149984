import { lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type { Agent } from 'undici'
import { isPublicAddress } from './addresses.ts'
import { OutboundError } from './outbound-error.ts'

export type AgentOptions = {
  /** Connects to whatever the name resolves to. */
  isAllowedHost: boolean
  /** The longest silence: while connecting, before the headers, between two pieces of the body. */
  silenceMsMax: number
  /** Who resolves names; absent: the system. */
  lookup?: LookupFunction | undefined
}

/**
 * A client for one request. Addresses are judged where they are used, in the lookup of the connection itself: a name
 * that resolves to one address for a check and to another for the connection gains nothing. The library is loaded with
 * the first request, for it is 19 MB that a process which fetches nothing need not have. No proxy is taken from the
 * environment.
 */
export async function openAgent(options: AgentOptions): Promise<Agent> {
  const { Agent } = await import('undici')
  const lookup = options.lookup ?? (systemLookup as LookupFunction)
  return new Agent({
    connect: {
      timeout: options.silenceMsMax,
      lookup: options.isAllowedHost ? lookup : publicOnly(lookup),
      allowH2: false,
      maxCachedSessions: 0,
    },
    headersTimeout: options.silenceMsMax,
    bodyTimeout: options.silenceMsMax,
    connections: 1,
    pipelining: 0,
  })
}

/** Resolves a name to those of its addresses that are public, and refuses it when none is. */
function publicOnly(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, [])
      const all = Array.isArray(found) ? found : [{ address: found, family: found.includes(':') ? 6 : 4 }]
      const addresses = all.filter(({ address }) => isPublicAddress(address))
      const [first] = addresses
      if (first === undefined) {
        const words = `${hostname} resolves to ${all.map(({ address }) => address).join(', ') || 'nothing'}, which is not of the public internet`
        return callback(new OutboundError('refused_address', words), [])
      }
      if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}
