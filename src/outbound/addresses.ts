import ipaddr from 'ipaddr.js'

/** Global unicast as IANA hands it out; what ipaddr.js has no name for outside of it is nobody's yet. */
const globalIPv6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** Public by its number, and answered by the host of a machine in Azure, which tells it its secrets there. */
const azureHost = '168.63.129.16'

/**
 * Whether an address is one of the public internet: no loopback, private, link-local, shared, reserved or multicast
 * one, and none of the IPv6 forms that carry an IPv4 address to a translator. An IPv4-mapped one is judged as the IPv4
 * address that it is.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  if (address.range() !== 'unicast' || address.toString() === azureHost) return false
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(globalIPv6)
}
