/** Reads `dns` (§2.10): the records of a domain, and the operators of its nameservers, mail and hosting. */
import type { Capture, DnsAnswer, DnsAnswers } from '../capture.ts'
import type { Finding } from '../finding.ts'
import { hostingOperator, mailOperator, nameserverOperator, parkingService } from './fingerprints.ts'

const recordsMax = 50
const nameCharactersMax = 255

type MailRecord = { priority: number; host: string }
type Records = { a: string[]; aaaa: string[]; ns: string[]; mx: MailRecord[] }

/** Returns the DNS answers of a check and the index of their capture; null if there is none. */
export function dnsAnswersOf(captures: readonly Capture[]): { answers: DnsAnswers; position: number } | null {
  const position = captures.findIndex(({ kind }) => kind === 'dns')
  const body = captures[position]?.body ?? null
  if (body === null) return null
  try {
    return { answers: JSON.parse(new TextDecoder().decode(body)) as DnsAnswers, position }
  } catch {
    return null
  }
}

/** Returns no finding if a look-up failed, so that the earlier finding stays. */
export function readDns(captures: readonly Capture[]): Finding[] {
  const dns = dnsAnswersOf(captures)
  if (dns === null) return []
  const { a, aaaa, ns, mx, wwwA, wwwAaaa } = dns.answers
  if (![a, aaaa, ns, mx].every(isFact)) return []
  const records: Records = {
    a: texts(a),
    aaaa: texts(aaaa),
    ns: texts(ns),
    mx: mailRecords(mx),
  }
  const own = [...records.a, ...records.aaaa]
  const addresses = own.length > 0 ? own : [...texts(wwwA), ...texts(wwwAaaa)]
  const fingerprints = {
    nameservers: mostFrequent(records.ns.map(nameserverOperator)),
    mail: mailOperatorOf(records.mx),
    hosting: mostFrequent(addresses.map(hostingOperator)),
  }
  return [
    {
      section: 'dns',
      valueKey: '',
      value: { records, fingerprints },
      rule: 'dns',
      strength: 3,
      capture: dns.position,
      snippet: null,
    },
  ]
}

const isFact = ({ outcome }: DnsAnswer<unknown>) =>
  outcome === 'answered' || outcome === 'nxdomain' || outcome === 'no_data'

/** Sorts the records, because servers rotate them. Addresses and hosts are written in lower case. */
const texts = ({ records }: DnsAnswer<string>): string[] =>
  [...new Set(records.filter(isName).map(hostOf))].toSorted().slice(0, recordsMax)

const isName = (text: unknown): text is string =>
  typeof text === 'string' && text !== '' && text.length <= nameCharactersMax

const hostOf = (name: string) => name.toLowerCase().replace(/\.$/, '')

/**
 * Returns no exchangers for a single record without a host, which means that the domain accepts no mail
 * (RFC 7505).
 */
function mailRecords({ records }: DnsAnswer<MailRecord>): MailRecord[] {
  return records
    .filter(({ host }) => isName(host) && host !== '.')
    .map(({ priority, host }) => ({ priority, host: hostOf(host) }))
    .toSorted((one, other) => one.priority - other.priority || (one.host < other.host ? -1 : 1))
    .slice(0, recordsMax)
}

/** Returns the operator of the exchangers with the lowest number, which receive the mail. */
function mailOperatorOf(records: readonly MailRecord[]): string | null {
  const first = records[0]?.priority
  return mostFrequent(
    records.filter(({ priority }) => priority === first).map(({ host }) => mailOperator(host)),
  )
}

/** Returns the most frequent operator; null if none is known, or if two are equally frequent. */
function mostFrequent(operators: readonly (string | null)[]): string | null {
  const counts = [...Map.groupBy(operators, operator => operator)]
    .map(([operator, { length }]) => ({ operator, length }))
    .toSorted((one, other) => other.length - one.length)
  const [most, next] = counts
  return most === undefined || most.length === next?.length ? null : most.operator
}

/** Detects nameservers that parking services use only for parked domains. */
export const isParkingNameserver = (host: string): boolean => parkingService(hostOf(host)) !== null

/** Returns the nameservers of the domain in lower case. */
export function nameserversOf(captures: readonly Capture[]): string[] {
  const dns = dnsAnswersOf(captures)
  return dns === null ? [] : texts(dns.answers.ns)
}
