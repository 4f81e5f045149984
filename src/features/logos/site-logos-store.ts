import type { ImageFormat } from '@baize/images'
import { type RawBuilder, sql } from 'kysely'
import type { Database, Transaction } from '../../database/open.ts'
import type { LogoSource } from './kinds.ts'

/** Writes the CTE `site_subjects`: the subjects assigned to a domain, and its brand. */
export const siteSubjects = (domainIds: readonly number[]): RawBuilder<unknown> => sql`
  site_subjects as (
    select subject.domain_id, subject.id as subject_id
      from logo_subjects subject
     where subject.domain_id = any (${[...domainIds]}::bigint[])
    union
    select link.domain_id, named.subject_id
      from domain_companies link
      join logo_names named
        on named.company_id = link.company_id
       and named.kind <> 'company'
       and md5(named.name) = md5(link.brand)
     where link.domain_id = any (${[...domainIds]}::bigint[]) and link.known_to is null
  )`

export type SiteLogo = {
  domain_id: number
  variant: string
  theme: string
  format: ImageFormat
  width: number | null
  height: number | null
  file_name: string
  source: LogoSource
  first_seen_at: Date
  superseded_at: Date | null
}

export async function readSiteLogos(database: Database, domainIds: readonly number[]): Promise<SiteLogo[]> {
  const { rows } = await sql<SiteLogo>`
    with ${siteSubjects(domainIds)}
    select site.domain_id, logo.variant, logo.theme, logo.format, logo.width, logo.height, logo.file_name,
           logo.source, logo.first_seen_at, logo.superseded_at
      from site_subjects site
      join logos logo using (subject_id)
     where logo.status <> 'rejected'
     order by site.domain_id, logo.superseded_at desc nulls first, logo.first_seen_at desc, logo.id`.execute(
    database,
  )
  return rows
}

/** Finds the brand subject of this site alone: one assigned to it, or a brand that no other site has. */
export async function findOwnSubject(tx: Transaction, domainId: number): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select subject.id
      from logo_subjects subject
      left join domain_companies link on link.domain_id = ${domainId} and link.known_to is null
      left join logo_names named
        on named.subject_id = subject.id and named.company_id = link.company_id and named.name = link.brand
     where subject.kind = 'operator_brand'
       and (
         subject.domain_id = ${domainId}
         or (
           named.subject_id is not null
           and subject.domain_id is null
           and not exists (
             select from domain_companies other
              where other.brand = link.brand and other.domain_id <> ${domainId} and other.known_to is null
           )
         )
       )
     order by subject.domain_id is null, subject.id
     limit 1`.execute(tx)
  return rows[0]?.id ?? null
}
