import { readFileSync } from 'node:fs'

/**
 * Registrable domains that host many parties and are not on the Public Suffix List, maintained by hand. A
 * block or an authorisation of one of their pages is stored as evidence and gives no verdict (contract
 * section 8, "What blocks it").
 */
const lines = readFileSync(new URL('./data/shared-hosts.txt', import.meta.url), 'utf8').split('\n')

export const sharedHosts: ReadonlySet<string> = new Set(
  lines.filter(line => line !== '' && !line.startsWith('#')).flatMap(line => line.split(' ')),
)

/** Blogger has a name below many country codes, and the Public Suffix List has only some of them. */
const blogspot = /^blogspot\.[a-z]{2,3}(?:\.[a-z]{2})?$/

/** The argument `domain` must be canonical, as `readDomain` returns it. */
export function isSharedHost(domain: string): boolean {
  return sharedHosts.has(domain) || blogspot.test(domain)
}
