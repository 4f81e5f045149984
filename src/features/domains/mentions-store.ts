import { isSharedHost, readDomain } from '@baize/names'
import type { Reads } from '../../database/open.ts'
import { entriesInForce } from '../known-facts-store.ts'
import { listedSpellings } from './listed-spellings.ts'
import { type Mention, mentionsMax } from './schemas.ts'

/**
 * Selects a listing's URL. `listed_as` is null if today's rules read another domain in the published text.
 */
export const listedAs = 'coalesce(entry.listed_as, entry.published)'

/** A URL or host as sent, for the listings that name exactly it, and the stored row of its domain. */
export type SentSite = {
  sent: string
  domain: string
  stored: { id: number; mentioned: boolean } | undefined
}

type MentionRow = Omit<Mention, 'first_listed_at'> & { place: number; first_listed_at: Date }
type Asked = { place: number; domain_id: number | null; spellings: string[] }

/** Bounds the memory of a statement. One URL of 2,048 characters has up to 400,000 in its spellings. */
const spelledCharactersMax = 1_000_000

/**
 * Reads the listings of hosts and paths below each site's domain (contract section 13). On a shared host,
 * other pages say nothing about the sent one, so only listings of the sent page are returned.
 */
export async function readMentions(
  reads: Reads,
  sites: readonly SentSite[],
  at?: { event: number; asOf: string },
): Promise<Mention[][]> {
  const mentions: Mention[][] = sites.map(() => [])
  for (const { onSharedHost, asked } of askedInTurn(sites)) {
    const rows = await reads.read<MentionRow>({
      name: `mentions${onSharedHost ? '_on_shared_host' : '_of_domain'}${at === undefined ? '' : '_then'}`,
      text: mentionsText(onSharedHost ? onHost : ofDomain, at !== undefined),
      values: [JSON.stringify(asked), ...(at === undefined ? [] : [at.event, at.asOf])],
    })
    for (const { place, ...row } of rows)
      mentions[place]?.push({ ...row, first_listed_at: row.first_listed_at.toISOString() })
  }
  return mentions
}

/** Tests whether listings below a site's domain are read. */
export const isLookedUp = ({ domain, stored }: Pick<SentSite, 'domain' | 'stored'>) =>
  isSharedHost(domain) || stored?.mentioned === true

/** Yields the sites to look up, in batches. Most sites have no such listing and are skipped. */
function* askedInTurn(sites: readonly SentSite[]): Generator<{ onSharedHost: boolean; asked: Asked[] }> {
  const waiting = { ofDomain: [] as Asked[], onSharedHost: [] as Asked[] }
  let characters = 0
  function* takeWaiting() {
    if (waiting.ofDomain.length > 0) yield { onSharedHost: false, asked: waiting.ofDomain.splice(0) }
    if (waiting.onSharedHost.length > 0) yield { onSharedHost: true, asked: waiting.onSharedHost.splice(0) }
    characters = 0
  }
  for (const [place, { sent, domain, stored }] of sites.entries()) {
    if (!isLookedUp({ domain, stored })) continue
    const onSharedHost = isSharedHost(domain)
    const site = readDomain(sent)
    if (!site.ok) continue
    const spellings = listedSpellings(site)
    for (const spelling of spellings) characters += spelling.length
    if (onSharedHost) waiting.onSharedHost.push({ place, domain_id: null, spellings })
    else waiting.ofDomain.push({ place, domain_id: stored?.id ?? null, spellings })
    if (characters > spelledCharactersMax) yield* takeWaiting()
  }
  yield* takeWaiting()
}

const ofDomain = { scope: `scope in ('host', 'path')`, which: 'domain_id = asked.domain_id' }
const onHost = { scope: `scope = 'shared_host'`, which: 'lower(listed_as) = any (asked.spellings)' }

const mentionsText = ({ scope, which }: typeof ofDomain, then: boolean) => `
  select asked.place, mention.*
    from json_to_recordset($1::json) as asked (place int, domain_id bigint, spellings text[])
   cross join lateral (
     select entry.regulator as geo, ${listedAs} as listed_as, entry.scope,
            min(entry.first_seen_at) as first_listed_at,
            lower(${listedAs}) = any (asked.spellings) as is_asked
       from ${
         then
           ? entriesInForce(`${scope} and ${which}`, { event: '$2::bigint', asOf: '$3::timestamptz' })
           : `(select * from blocklist_entries where known_to is null and listed and ${scope} and ${which})`
       } entry
      where ${scope}
      group by entry.regulator, ${listedAs}, entry.scope
      order by is_asked desc, entry.regulator collate "C", ${listedAs} collate "C"
      limit ${mentionsMax}
   ) mention
   order by asked.place, mention.is_asked desc, mention.geo collate "C", mention.listed_as collate "C"`
