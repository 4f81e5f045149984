import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import type { StoredLogo } from './reconcile-logos.ts'
import type { NewSubject } from './subjects-store.ts'

type ImportedSubjectRow = NewSubject & { id: number; domain_id: number | null; role: string[] }

export async function updateImportedSubjects(tx: Transaction, subjects: readonly ImportedSubjectRow[]) {
  if (subjects.length === 0) return
  await sql`
    update logo_subjects subject
       set slug = imported.slug, name = imported.name, name_folded = imported.folded,
           name_joined = imported.joined, stated_name = imported.name, domain_id = imported.domain_id,
           role = imported.role
      from json_to_recordset(${JSON.stringify(subjects)}::json)
        as imported (id bigint, kind text, slug text, name text, folded text, joined text, domain_id bigint,
                     role text[])
     where subject.id = imported.id`.execute(tx)
}

export type StoredLogoRow = StoredLogo & { id: number; subject_id: number }

export async function readStoredLogos(tx: Transaction, subjectIds: readonly number[]) {
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

/** Updates logos, first those that end, because a slot has one current image per format. */
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

export async function insertLogos(tx: Transaction, logos: readonly (StoredLogo & { subject_id: number })[]) {
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
