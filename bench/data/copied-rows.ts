import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { median } from '../harness/goals.ts'

type Copied = { ms: number; rows: number }

/** Returns the median time of COPY for the rows of an export into a file, and the number of rows. */
export async function medianCopy(
  client: pg.Client,
  { where, file, rounds }: { where: string; file: string; rounds: number },
): Promise<Copied> {
  const { rows } = await timeCopy(client, where, file) // The first COPY warms the cache.
  const times: number[] = []
  for (let round = 0; round < rounds; round++) times.push((await timeCopy(client, where, file)).ms)
  return { ms: median(times), rows }
}

export function licensedIn(jurisdiction: string): string {
  return `
  domain.id in (
    select domain_id from domain_listings where verdict = 'licensed' and geo = '${jurisdiction}'
    union all
    select mixed.id
      from domain_listings listing
      join domains mixed on mixed.id = listing.domain_id
     where listing.verdict = 'mixed' and listing.geo = ''
       and exists (select from json_array_elements(mixed.licensed_by) as license
         where license ->> 'geo' = '${jurisdiction}')
  )`
}

export function isSeenWith(section: string, which = 'true'): string {
  return `
  exists (
    select from observations
     where domain_id = domain.id and section = '${section}' and ${which}
       and last_seen_at >= domain.last_observed_at - interval '30 days'
  )`
}

async function timeCopy(client: pg.Client, where: string, file: string): Promise<Copied> {
  const start = performance.now()
  const rows = client.query(
    copyTo(`
      copy (
        select domain.domain, owner.name,
               case when domain.last_observed_at is null then 'not_observed' else 'observed' end,
               domain.last_observed_at
          from domains domain
          left join lateral (
            select coalesce(company.company_name, company.legal_entity) as name
              from domain_companies link
              join companies named on named.id = link.company_id
              join companies company on company.id = coalesce(named.merged_into, named.id)
             where link.domain_id = domain.id and link.known_to is null
             order by link.company_id is not distinct from domain.licensee_company_id desc, link.relation,
                      company.company_ref collate "C"
             limit 1
          ) owner on true
         where ${where}
         order by domain.domain
         limit 10000
      ) to stdout with (format csv, header)`),
  )
  await pipeline(rows, createWriteStream(file, { flush: true }))
  return { ms: performance.now() - start, rows: rows.rowCount }
}
