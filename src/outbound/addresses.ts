import ipaddr from 'ipaddr.js'

/** Global unicast as assigned by IANA. ipaddr.js also calls unassigned ranges unicast. */
const globalIPv6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** The metadata service of Azure, which returns secrets, has a public address. */
const azureHost = '168.63.129.16'

/**
 * Whether an address is public: not loopback, private, link-local, shared, reserved or multicast, nor an
 * IPv6 form for translation to IPv4. An IPv4-mapped address is checked as IPv4.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  if (address.range() !== 'unicast' || address.toString() === azureHost) return false
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(globalIPv6)
}
