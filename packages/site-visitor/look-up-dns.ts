import type { Capture, DnsAnswer, DnsAnswers } from '@baize/site-reader'

type Values = { A: string; AAAA: string; NS: string; MX: { priority: number; host: string } }

export type ResolveRecords = <Type extends keyof Values>(
  name: string,
  type: Type,
) => Promise<DnsAnswer<Values[Type]>>

/** Returns the records of a domain and the addresses of its `www`, as one capture. */
export async function lookUpDns(domain: string, resolve: ResolveRecords, now: () => Date): Promise<Capture> {
  const www = `www.${domain}`
  const [a, aaaa, ns, mx, wwwA, wwwAaaa] = await Promise.all([
    resolve(domain, 'A'),
    resolve(domain, 'AAAA'),
    resolve(domain, 'NS'),
    resolve(domain, 'MX'),
    resolve(www, 'A'),
    resolve(www, 'AAAA'),
  ])
  const answers: DnsAnswers = { a, aaaa, ns, mx, wwwA, wwwAaaa }
  return {
    kind: 'dns',
    purpose: 'dns',
    url: `dns:${domain}`,
    finalUrl: null,
    status: null,
    headers: {},
    body: Buffer.from(JSON.stringify(answers)),
    truncated: false,
    failure: null,
    redirectChain: [],
    certificate: null,
    seenAt: now(),
  }
}

export function dnsAnswersOf(dns: Capture): DnsAnswers {
  return JSON.parse(Buffer.from(dns.body ?? []).toString()) as DnsAnswers
}

/**
 * Returns which of the two names may have an address. A failed look-up may hide one, so the name is
 * visited.
 */
export function namesToVisit({ a, aaaa, wwwA, wwwAaaa }: DnsAnswers): { apex: boolean; www: boolean } {
  const mayHaveAddress = (answers: DnsAnswer<string>[]) =>
    answers.some(({ outcome }) => outcome !== 'nxdomain' && outcome !== 'no_data')
  return { apex: mayHaveAddress([a, aaaa]), www: mayHaveAddress([wwwA, wwwAaaa]) }
}
