import { lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type { Agent } from 'undici'
import { isPublicAddress } from './addresses.ts'
import { OutboundError } from './outbound-error.ts'

export type AgentOptions = {
  isAllowedHost: boolean
  /** The timeout for connecting, for the headers, and between two pieces of the body. */
  silenceMsMax: number
  lookup?: LookupFunction | undefined
}

/**
 * Opens a client for one request. Addresses are checked in the lookup of the connection itself, so a name
 * cannot resolve to another address after the check. undici is loaded on first use because it needs 19 MB
 * of memory. Proxy settings of the environment are ignored.
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

function publicOnly(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, [])
      const all = Array.isArray(found) ? found : [{ address: found, family: found.includes(':') ? 6 : 4 }]
      const addresses = all.filter(({ address }) => isPublicAddress(address))
      const [first] = addresses
      if (first === undefined) {
        const resolved = all.map(({ address }) => address).join(', ') || 'nothing'
        const words = `${hostname} resolves to ${resolved}, which is not a public address`
        return callback(new OutboundError('refused_address', words), [])
      }
      if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}
