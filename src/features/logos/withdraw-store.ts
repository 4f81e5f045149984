import { sql } from 'kysely'
import type { Database, Transaction } from '../../database/open.ts'
import type { LogoKind, LogoSource, LogoStatus } from './kinds.ts'

export async function findSubjectId(database: Database, kind: LogoKind, slug: string) {
  const { rows } = await sql<{ id: number }>`
    select id from logo_subjects where kind = ${kind} and slug = ${slug}`.execute(database)
  return rows[0]?.id
}

type ImageSelection = {
  variant?: string | undefined
  theme?: string | undefined
  file?: string | undefined
  reason: string
  now: Date
}

export async function withdraw(
  tx: Transaction,
  subjectId: number,
  { variant, theme, file, reason, now }: ImageSelection,
): Promise<string[]> {
  const { rows } = await sql<{ file_name: string }>`
    update logos
       set status = 'withdrawn', reason = ${reason},
           superseded_at = coalesce(superseded_at, greatest(${now}::timestamptz, first_seen_at))
     where subject_id = ${subjectId}
       and status in ('current', 'superseded')
       and variant = coalesce(${variant ?? null}::text, variant)
       and theme = coalesce(${theme ?? null}::text, theme)
       and file_name = coalesce(${file ?? null}::text, file_name)
    returning file_name`.execute(tx)
  return rows.map(row => row.file_name)
}

export async function readShown(database: Database, files: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ file_name: string }>`
    select distinct file_name
      from logos
     where file_name = any (${[...files]}::text[]) and status in ('current', 'superseded')
     order by file_name`.execute(database)
  return rows.map(row => row.file_name)
}

export type ShownImage = {
  variant: string
  theme: string
  format: string
  status: LogoStatus
  source: LogoSource
  first_seen_at: Date
  superseded_at: Date | null
  file: string
  reason: string | null
}

export async function readImages(database: Database, subjectId: number): Promise<ShownImage[]> {
  const { rows } = await sql<ShownImage>`
    select variant, theme, format, status, source, first_seen_at, superseded_at, file_name as file, reason
      from logos
     where subject_id = ${subjectId}
     order by first_seen_at desc, variant, theme, format, id desc`.execute(database)
  return rows
}
