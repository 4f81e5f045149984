import { sql } from 'kysely'
import type { Transaction } from '../database/open.ts'
import { insertNewCompanies } from './map-keys-store.ts'
import type { Merged } from './merge.ts'
import { keepLastLines } from './staging-store.ts'

/** A Company that was merged into another keeps what it was: its line changes nothing. */
export async function mergeCompanies(tx: Transaction, now: Date): Promise<Merged> {
  await keepLastLines(tx, 'staged_companies', ['key'])
  const added = await insertNewCompanies(tx, now)
  const { rows } = await sql<{ changed: number }>`
    with said as (
      select distinct on (mapped.company_id) mapped.company_id, staged.*
        from staged_companies staged
        join mapped_companies mapped using (key)
       where not mapped.is_new and not mapped.merged
       order by mapped.company_id, staged.position desc
    ),
    updated as (
      update companies company
         set company_name = said.company_name,
             legal_entity = said.legal_entity,
             subject_kind = said.subject_kind,
             role = said.role,
             country = said.country,
             brands = said.brands,
             aliases = said.aliases,
             apps = said.apps,
             affiliate_program = said.affiliate_program,
             geo_hints = said.geo_hints,
             evidence_routes = said.evidence_routes,
             last_updated_at = ${now}
        from said
       where company.id = said.company_id
         and (company.company_name, company.legal_entity, company.subject_kind, company.role, company.country,
              company.brands, company.aliases, company.apps, company.affiliate_program, company.geo_hints,
              company.evidence_routes)
             is distinct from
             (said.company_name, said.legal_entity, said.subject_kind, said.role, said.country,
              said.brands, said.aliases, said.apps, said.affiliate_program, said.geo_hints,
              said.evidence_routes)
      returning company.id
    )
    select count(*) as changed from updated`.execute(tx)
  return { added, changed: rows[0]?.changed ?? 0 }
}
