import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import type { LogoLine } from '../../features/logos/index.ts'

type ImportedLogo = NonNullable<LogoLine['logo']>
type Row = Omit<LogoLine, 'logo'> &
  Omit<ImportedLogo, 'file_name' | 'first_seen_at' | 'superseded_at'> & {
    file_name: string | null
    first_seen_at: Date | null
    superseded_at: Date | null
  }

/** Returns all lines of the next subjects by kind and slug. */
export async function readStagedLogos(
  tx: Transaction,
  after: { kind: string; slug: string },
  subjectsAtOnce: number,
): Promise<LogoLine[]> {
  const { rows } = await sql<Row>`
    with subjects as (
      select distinct subject_kind collate "C" as kind, slug
        from staged_logos
       where (subject_kind collate "C", slug) > (${after.kind}, ${after.slug})
       order by kind, slug
       limit ${subjectsAtOnce}
    )
    select subjects.kind, subjects.slug, staged.name, mapped.domain_id, staged.role, staged.file_name,
           staged.variant, staged.theme, staged.format, staged.width, staged.height, staged.source,
           staged.status, staged.first_seen_at, staged.superseded_at
      from subjects
      join staged_logos staged on staged.subject_kind = subjects.kind and staged.slug = subjects.slug
      left join mapped_domains mapped on mapped.domain = staged.domain
     order by subjects.kind, subjects.slug, staged.position`.execute(tx)
  return rows.map(({ kind, slug, name, domain_id, role, file_name, ...logo }) => ({
    kind,
    slug,
    name,
    domain_id,
    role,
    logo:
      file_name === null
        ? null
        : {
            ...logo,
            file_name,
            first_seen_at: logo.first_seen_at?.getTime() ?? null,
            superseded_at: logo.superseded_at?.getTime() ?? null,
          },
  }))
}
