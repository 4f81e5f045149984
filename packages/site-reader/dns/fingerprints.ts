/** Recognises operators of nameservers, mail and hosting by rules/dns-fingerprints.yaml. */
import ipaddr from 'ipaddr.js'
import { readRuleFile } from '../read-rule-file.ts'

/** Endings of host names, or address ranges, by operator. */
export type Fingerprints = Record<
  'nameservers' | 'mail' | 'hosting' | 'parking',
  Record<string, readonly string[]>
>

export const readFingerprints = () => readRuleFile<Fingerprints>('dns-fingerprints')

const declared = readFingerprints()

/** Replaces numbers by `*`, so that `awsdns-*.com` matches any number. */
const withoutNumbers = (host: string) => host.replaceAll(/\d+/g, '*')

function byEnding(operators: Record<string, readonly string[]>): (host: string) => string | null {
  const endings = new Map(
    Object.entries(operators).flatMap(([operator, hosts]) => hosts.map(host => [host, operator] as const)),
  )
  return host => {
    const labels = host.split('.')
    const names = labels.flatMap((_, from) => {
      const ending = labels.slice(from).join('.')
      return [ending, withoutNumbers(ending)]
    })
    const known = names.find(name => endings.has(name))
    return known === undefined ? null : (endings.get(known) ?? null)
  }
}

/** Returns the operator of a nameserver; null if not known. */
export const nameserverOperator = byEnding(declared.nameservers)
/** Returns the operator of a mail exchanger; null if not known. */
export const mailOperator = byEnding(declared.mail)
/** Returns the parking service of a nameserver; null if it is none. */
export const parkingService = byEnding(declared.parking)

const ranges = Object.entries(declared.hosting).flatMap(([operator, cidrs]) =>
  cidrs.map(cidr => ({ operator, range: ipaddr.parseCIDR(cidr) })),
)

/** Returns the operator of an address, by the ranges that operators publish. */
export function hostingOperator(text: string): string | null {
  if (!ipaddr.isValid(text)) return null
  const address = ipaddr.process(text)
  return (
    ranges.find(({ range }) => address.kind() === range[0].kind() && address.match(range))?.operator ?? null
  )
}
