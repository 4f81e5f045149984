import { readDomain } from '../../core/domain-name.ts'
import { isSharedHost } from '../../core/shared-hosts.ts'
import type { World } from '../../database/open.ts'
import { listedSpellings } from './listed-spellings.ts'
import { type Mention, mentionsMax } from './schemas.ts'

/** A release before `listed_as` writes only the published text. */
export const listedAs = 'coalesce(entry.listed_as, entry.published)'

type MentionRow = Omit<Mention, 'first_listed_at'> & { first_listed_at: Date }

/**
 * Listings of a host or path below the domain (contract section 13). A shared host's other parties say
 * nothing about the page that was sent, so only listings of that page are returned there.
 */
export async function readMentions(
  world: World,
  sent: string,
  stored: { id: number; mentioned: boolean } | null,
): Promise<Mention[]> {
  const site = readDomain(sent)
  if (!site.ok) return []
  const onSharedHost = isSharedHost(site.domain)
  if (!onSharedHost && stored?.mentioned !== true) return []
  const rows = await world.read<MentionRow>({
    name: onSharedHost ? 'mentions_on_shared_host' : 'mentions_of_domain',
    text: mentions(
      onSharedHost
        ? `entry.scope = 'shared_host' and lower(entry.listed_as) = any ($1::text[]) and $2::bigint is null`
        : `entry.scope in ('host', 'path') and entry.domain_id = $2::bigint`,
    ),
    values: [listedSpellings(site), onSharedHost ? null : stored?.id],
  })
  return rows.map(row => ({ ...row, first_listed_at: row.first_listed_at.toISOString() }))
}

const mentions = (which: string) => `
  select entry.regulator as geo, ${listedAs} as listed_as, entry.scope,
         min(entry.first_seen_at) as first_listed_at, lower(${listedAs}) = any ($1::text[]) as is_asked
    from blocklist_entries entry
   where entry.known_to is null and entry.listed and ${which}
   group by entry.regulator, ${listedAs}, entry.scope
   order by is_asked desc, entry.regulator collate "C", ${listedAs} collate "C"
   limit ${mentionsMax}`
