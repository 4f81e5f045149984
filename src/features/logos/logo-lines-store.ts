import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import type { LogoKind } from './kinds.ts'
import type { StoredLogo } from './reconcile-logos.ts'

type ImportedSubjectRow = {
  kind: LogoKind
  slug: string
  name: string
  folded: string
  joined: string
  domain_id: number | null
  role: string[]
}

const importedColumns = sql`
  as imported (id bigint, kind text, slug text, name text, folded text, joined text, domain_id bigint,
               role text[])`

export async function insertImportedSubjects(
  tx: Transaction,
  subjects: readonly ImportedSubjectRow[],
): Promise<Map<string, number>> {
  if (subjects.length === 0) return new Map()
  const { rows } = await sql<{ id: number; kind: string; slug: string }>`
    insert into logo_subjects (kind, slug, name, name_folded, name_joined, stated_name, domain_id, role)
    select kind, slug, name, folded, joined, name, domain_id, role
      from json_to_recordset(${JSON.stringify(subjects)}::json) ${importedColumns}
    returning id, kind, slug`.execute(tx)
  return new Map(rows.map(({ id, kind, slug }) => [`${kind}/${slug}`, id]))
}

export async function updateImportedSubjects(
  tx: Transaction,
  subjects: readonly (ImportedSubjectRow & { id: number })[],
): Promise<void> {
  if (subjects.length === 0) return
  await sql`
    update logo_subjects subject
       set slug = imported.slug, name = imported.name, name_folded = imported.folded,
           name_joined = imported.joined, stated_name = imported.name, domain_id = imported.domain_id,
           role = imported.role
      from json_to_recordset(${JSON.stringify(subjects)}::json) ${importedColumns}
     where subject.id = imported.id`.execute(tx)
}

export type StoredLogoRow = StoredLogo & { id: number; subject_id: number }

export async function readStoredLogos(
  tx: Transaction,
  subjectIds: readonly number[],
): Promise<StoredLogoRow[]> {
  const { rows } = await sql<StoredLogoRow & { first_seen_at: Date; superseded_at: Date | null }>`
    select id, subject_id, variant, theme, format, width, height, file_name, source, status, first_seen_at,
           superseded_at
      from logos
     where subject_id = any (${[...subjectIds]}::bigint[])
     order by id`.execute(tx)
  return rows.map(row => ({
    ...row,
    first_seen_at: (row.first_seen_at as unknown as Date).getTime(),
    superseded_at: (row.superseded_at as unknown as Date | null)?.getTime() ?? null,
  }))
}

const timestamp = (column: string) => sql`to_timestamp(${sql.ref(column)} / 1000.0)`

/** Images that end go first: a slot has one current image per format. */
export async function updateLogos(tx: Transaction, logos: readonly StoredLogoRow[]): Promise<void> {
  for (const becomesCurrent of [false, true]) {
    const some = logos.filter(logo => (logo.status === 'current') === becomesCurrent)
    if (some.length === 0) continue
    await sql`
      update logos logo
         set status = changed.status, source = changed.source,
             superseded_at = ${timestamp('changed.superseded_at')},
             reason = case when changed.status = logo.status then logo.reason end
        from json_to_recordset(${JSON.stringify(some)}::json)
          as changed (id bigint, status text, source text, superseded_at float8)
       where logo.id = changed.id`.execute(tx)
  }
}

export async function insertLogos(
  tx: Transaction,
  logos: readonly (StoredLogo & { subject_id: number })[],
): Promise<void> {
  if (logos.length === 0) return
  await sql`
    insert into logos
      (subject_id, variant, theme, format, width, height, file_name, source, status, first_seen_at,
       superseded_at)
    select subject_id, variant, theme, format, width, height, file_name, source, status,
           ${timestamp('first_seen_at')}, ${timestamp('superseded_at')}
      from json_to_recordset(${JSON.stringify(logos)}::json)
        as added (subject_id bigint, variant text, theme text, format text, width int, height int,
                  file_name text, source text, status text, first_seen_at float8, superseded_at float8)
     order by subject_id, first_seen_at, variant, theme, file_name`.execute(tx)
}
