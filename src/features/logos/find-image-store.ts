import type { ImageFormat } from '@baize/images'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/open.ts'
import { type LogoKind, logoKinds } from './kinds.ts'
import { bestFirst } from './search-logos-store.ts'
import { siteSubjects } from './site-logos-store.ts'

export type ImageChoice = {
  variant?: string | undefined
  theme?: string | undefined
  format?: ImageFormat | undefined
}

type Image = { name: string; file_name: string | null }

const bestOf = (subjects: RawBuilder<unknown>, { variant, theme, format }: ImageChoice) => sql<Image>`
    select subject.name, logo.file_name
      from (${subjects}) subject
      left join logos logo
        on logo.subject_id = subject.id
       and logo.status = 'current'
       and logo.variant = coalesce(${variant ?? null}::text, logo.variant)
       and logo.theme = coalesce(${theme ?? null}::text, logo.theme)
       and logo.format = coalesce(${format ?? null}::text, logo.format)
     order by logo.file_name is null, subject.rank, ${bestFirst}, subject.id
     limit 1`

export async function readImageOfSite(database: Database, domain: string, choice: ImageChoice) {
  const { rows: domains } = await sql<{ id: number }>`
    select id from domains where domain = ${domain}`.execute(database)
  const id = domains[0]?.id
  if (id === undefined) return undefined
  const subjects = sql`
    select subject.id, subject.name,
           array_position(${sql.lit(`{${logoKinds.join(',')}}`)}::text[], subject.kind) as rank
      from site_subjects site
      join logo_subjects subject on subject.id = site.subject_id`
  const { rows } = await sql<Image>`with ${siteSubjects([id])} ${bestOf(subjects, choice)}`.execute(database)
  return rows[0]
}

export async function readImageOfSubject(
  database: Database,
  kind: LogoKind,
  by: { slug: string } | { folded: string },
  choice: ImageChoice,
): Promise<Image | undefined> {
  const matches = 'slug' in by ? sql`slug = ${by.slug}` : sql`name_folded = ${by.folded}`
  const subjects = sql`
    select id, name, 1 as rank from logo_subjects where kind = ${kind} and ${matches} order by id limit 1`
  const { rows } = await bestOf(subjects, choice).execute(database)
  return rows[0]
}

/** Returns true if a file is current or superseded for any subject, so that it may be shown. */
export async function isShown(database: Database, fileName: string): Promise<boolean> {
  const { rows } = await sql<{ shown: boolean }>`
    select exists (
      select from logos where file_name = ${fileName} and status in ('current', 'superseded')
    ) as shown`.execute(database)
  return rows[0]?.shown ?? false
}
