import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import { deriveCompanies } from '../../features/companies/index.ts'
import { importStream } from '../../journal/events-store.ts'
import { sourceBrands } from '../source-brands-store.ts'
import { insertNewCompanies } from '../stage/map-keys-store.ts'
import { dropEarlierLines } from '../stage/staging-store.ts'
import { noteSeekers } from './link-companies-store.ts'
import type { UpsertContext, UpsertResult } from './upsert-context.ts'

// A line writes the identity of its key; the Company is derived from all its identities. A line whose key is
// the ref of a merged Company is ignored.
export async function upsertCompanies({ tx, now }: UpsertContext): Promise<UpsertResult> {
  await dropEarlierLines(tx, 'staged_companies', ['key'])
  await noteSeekers(tx)
  const changedIds = await updateIdentities(tx)
  const addedIds = await addIdentities(tx, now)
  const added = await insertNewCompanies(tx, now)
  const companyIds = [...changedIds, ...addedIds]
  await deriveCompanies(tx, companyIds, now)
  await sql`insert into touched_companies (company_id) select unnest(${companyIds}::bigint[])`.execute(tx)
  return { added, changed: companyIds.length }
}

async function updateIdentities(tx: Transaction): Promise<number[]> {
  const { rows } = await sql<{ company_id: number }>`
    update company_identities identity
       set company_name = line.company_name,
           legal_entity = line.legal_entity,
           subject_kind = line.subject_kind,
           role = line.role,
           country = line.country,
           brands = line.brands,
           aliases = line.aliases,
           apps = line.apps,
           affiliate_program = line.affiliate_program,
           geo_hints = line.geo_hints,
           evidence_routes = line.evidence_routes,
           name_key = line.name_key,
           registration = line.registration,
           lei = line.lei
      from staged_companies line
     where identity.stream = ${importStream}
       and identity.identity_key = line.key
       and (identity.company_name, identity.legal_entity, identity.subject_kind, identity.role,
            identity.country, identity.brands, identity.aliases, identity.apps, identity.affiliate_program,
            identity.geo_hints, identity.evidence_routes, identity.name_key, identity.registration,
            identity.lei)
           is distinct from
           (line.company_name, line.legal_entity, line.subject_kind, line.role, line.country,
            line.brands, line.aliases, line.apps, line.affiliate_program, line.geo_hints,
            line.evidence_routes, line.name_key, line.registration, line.lei)
    returning identity.company_id`.execute(tx)
  return rows.map(row => row.company_id)
}

const isNewIdentifier = (name: 'registration' | 'lei') => sql`
            (line.${sql.ref(name)} is not null
             and not exists (
               select from company_identities known
                where known.company_id = company.id and known.${sql.ref(name)} = line.${sql.ref(name)}
             ))`

/** Adds an identity for a line whose key is a company_ref, if its fields differ from the Company's. */
async function addIdentities(tx: Transaction, now: Date): Promise<number[]> {
  const { rows } = await sql<{ company_id: number }>`
    insert into company_identities
      (stream, identity_key, company_id, known_from, first_seen_at, company_name, legal_entity, subject_kind,
       role, country, brands, aliases, apps, affiliate_program, geo_hints, evidence_routes, name_key,
       registration, lei)
    select ${importStream}, line.key, company.id, ${now}::timestamptz, ${now}::timestamptz, line.company_name,
           line.legal_entity, line.subject_kind, line.role, line.country, line.brands, line.aliases,
           line.apps, line.affiliate_program, line.geo_hints, line.evidence_routes, line.name_key,
           line.registration, line.lei
      from staged_companies line
      join mapped_companies mapped using (key)
      join companies company on company.id = mapped.company_id
     where not mapped.is_new and not mapped.has_identity and not mapped.merged
       and (${isNewIdentifier('registration')} or ${isNewIdentifier('lei')}
            or (company.company_name, company.legal_entity, company.subject_kind, company.role,
                company.country, ${sourceBrands}, company.aliases, company.apps,
                company.affiliate_program, company.geo_hints, company.evidence_routes)
               is distinct from
               (line.company_name, line.legal_entity, line.subject_kind, line.role, line.country,
                line.brands, line.aliases, line.apps, line.affiliate_program, line.geo_hints,
                line.evidence_routes))
    returning company_id`.execute(tx)
  return rows.map(row => row.company_id)
}
