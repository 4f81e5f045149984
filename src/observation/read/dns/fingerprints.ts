/** Operators of nameservers, mail and hosting by what rules/dns-fingerprints.yaml declares. */
import { readFileSync } from 'node:fs'
import ipaddr from 'ipaddr.js'
import { parse } from 'yaml'

/** By operator: endings of host names, or address ranges. */
export type Fingerprints = Record<
  'nameservers' | 'mail' | 'hosting' | 'parking',
  Record<string, readonly string[]>
>

export function readFingerprints(): Fingerprints {
  const file = new URL('../../rules/dns-fingerprints.yaml', import.meta.url)
  return parse(readFileSync(file, 'utf8')) as Fingerprints
}

const declared = readFingerprints()

/** `awsdns-*.com` stands for any number. */
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

/** The operator of a nameserver; null: not known. */
export const nameserverOperator = byEnding(declared.nameservers)
/** Of a mail exchanger. */
export const mailOperator = byEnding(declared.mail)
/** The parking service of a nameserver. */
export const parkingService = byEnding(declared.parking)

const ranges = Object.entries(declared.hosting).flatMap(([operator, cidrs]) =>
  cidrs.map(cidr => ({ operator, range: ipaddr.parseCIDR(cidr) })),
)

/** Of an address, by the ranges that operators publish. */
export function hostingOperator(text: string): string | null {
  if (!ipaddr.isValid(text)) return null
  const address = ipaddr.process(text)
  return (
    ranges.find(({ range }) => address.kind() === range[0].kind() && address.match(range))?.operator ?? null
  )
}
