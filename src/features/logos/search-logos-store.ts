import type { ImageFormat } from '@baize/images'
import { type RawBuilder, sql } from 'kysely'
import type { Database, World } from '../../database/open.ts'
import { defaultTheme, defaultVariant, type LogoKind, type LogoSource, logoSources } from './kinds.ts'
import type { NameKey } from './name-key.ts'

/** With more matches than this, the index is scanned in order of name instead of sorting them. */
const sortedMatchesMax = 2_000

/** Finds subjects by name: exact matches, then prefix matches, both without blanks, then other matches. */
export async function findByName(
  { replica }: World,
  { folded, joined }: NameKey,
  kind: LogoKind | undefined,
  max: number,
): Promise<number[]> {
  const ofKind = kind === undefined ? sql`true` : sql`kind = ${kind}`
  const isEqual = sql`name_joined = ${joined} and ${ofKind}`
  const isPrefix = sql`
    name_joined like ${prefixPattern(joined)}
      and name_folded like ${prefixPattern([...folded][0] as string)}
      and ${ofKind}`
  const isPart = sql`name_folded like ${`%${prefixPattern(folded)}`} and ${ofKind}`
  const ids = new Set<number>()
  for (const condition of [isEqual, isPrefix, isPart]) {
    if (ids.size >= max) break
    for (const id of await readFirst(replica, condition, max)) ids.add(id)
  }
  return [...ids].slice(0, max)
}

async function readFirst(database: Database, condition: RawBuilder<unknown>, max: number): Promise<number[]> {
  const { rows } = await sql<{ id: number; matches: number }>`
    with matching as materialized (
      select id, name_folded, kind, slug
        from logo_subjects
       where ${condition}
       limit ${sortedMatchesMax}
    )
    select id, (select count(*) from matching) as matches
      from matching
     order by name_folded, kind, slug
     limit ${max}`.execute(database)
  if ((rows[0]?.matches ?? 0) < sortedMatchesMax) return rows.map(row => row.id)
  const { rows: first } = await sql<{ id: number }>`
    select id
      from logo_subjects
     where ${condition}
     order by name_folded, kind, slug
     limit ${max}`.execute(database)
  return first.map(row => row.id)
}

const prefixPattern = (text: string) => `${text.replaceAll(/[\\%_]/g, '\\$&')}%`

/** Orders logos: plain variant, light theme, most trusted source, SVG before pixels, widest. */
export const bestFirst = sql`
    logo.variant <> ${sql.lit(defaultVariant)}, logo.theme <> ${sql.lit(defaultTheme)},
    array_position(${sql.lit(`{${logoSources.join(',')}}`)}::text[], logo.source), logo.format <> 'svg',
    logo.width desc nulls last, logo.variant, logo.theme, logo.format`

export type CurrentLogo = {
  subject_id: number
  file_name: string
  source: LogoSource
  variant: string
  theme: string
  format: ImageFormat
}

export async function readCurrentLogos(database: Database, subjectIds: readonly number[]) {
  const { rows } = await sql<CurrentLogo>`
    select logo.subject_id, logo.file_name, logo.source, logo.variant, logo.theme, logo.format
      from logos logo
     where logo.subject_id = any (${[...subjectIds]}::bigint[]) and logo.status = 'current'
     order by logo.subject_id, ${bestFirst}`.execute(database)
  return rows
}

export type SubjectRow = {
  id: number
  name: string
  kind: LogoKind
  slug: string
  domain: string | null
  role: string[]
}

/**
 * Reads subjects. Their domain and roles come from an import, or else from Companies. A Company has its
 * primary domain, and a brand its best site: licensed first, then by first seen, then by name.
 */
export async function readSubjects(database: Database, ids: readonly number[]): Promise<SubjectRow[]> {
  const { rows } = await sql<SubjectRow>`
    select subject.id, subject.name, subject.kind, subject.slug,
           coalesce(stated.domain, linked.domain) as domain,
           case when subject.role <> '{}' then subject.role else company_roles.role end as role
      from logo_subjects subject
      left join domains stated on stated.id = subject.domain_id
      left join lateral (
        select domain.domain
          from logo_names named
         cross join lateral (
           select link.domain_id as id
             from domain_companies link
            where named.kind <> 'company'
              and link.company_id = named.company_id and link.known_to is null and link.brand = named.name
           union all
           select main.id
             from company_search search
             join domains main on main.domain = search.hit -> 'primary_domain' ->> 'domain'
            where named.kind = 'company' and search.id = named.company_id
         ) own
          join domains domain on domain.id = own.id
         where named.subject_id = subject.id
           and subject.domain_id is null
         order by domain.verdict not in ('licensed', 'mixed'), domain.first_seen_at nulls last, domain.domain
         limit 1
      ) linked on true
     cross join lateral (
       select coalesce(array_agg(distinct role.name order by role.name), '{}') as role
         from logo_names named
         join companies company on company.id = named.company_id
        cross join lateral unnest(company.role) as role (name)
        where named.subject_id = subject.id
     ) company_roles
     where subject.id = any (${[...ids]}::bigint[])`.execute(database)
  return rows
}
