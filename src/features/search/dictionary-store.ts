import type { World } from '../../database/open.ts'
import type { SearchSubject, TermFilter } from './contract.ts'
import { Values } from './values.ts'

export type StoredTerm = TermFilter & { id: number; rows: number }

export type DictionaryEntries = {
  version: number
  rowCount: number
  terms: StoredTerm[]
  ids: number[]
}

/** The rows of a domain: Companies by their relations, licenses by what they authorise. */
export function idsOfDomain(subject: SearchSubject, domain: string): string {
  return subject === 'company'
    ? `
      select owner.company_id as id
        from domains named
       cross join lateral companies_of_domain(named.id) owner
       where named.domain = ${domain}`
    : `
      select authorisation.license_id as id
        from domains named
        join authorisations authorisation
          on authorisation.domain_id = named.id and authorisation.known_to is null and authorisation.counts
       where named.domain = ${domain} and authorisation.license_id is not null`
}

export async function readDictionary(
  world: World,
  subject: SearchSubject,
  filters: readonly TermFilter[],
  textDomain: string | null,
): Promise<DictionaryEntries> {
  const values = new Values()
  const [subjectValue, fields, texts, domain] = [
    values.add(subject, 'text'),
    values.add(
      filters.map(({ field }) => field),
      'text[]',
    ),
    values.add(
      filters.map(({ value }) => value),
      'text[]',
    ),
    values.add(textDomain, 'text'),
  ]
  const text = `
    select (select version from dataset_version) as version,
           coalesce(
             (select rows from search_terms where subject = ${subjectValue} and field = '' and value = ''), 0
           ) as "rowCount",
           (
             select coalesce(
                      json_agg(json_build_object('field', term.field, 'value', term.value,
                                                 'id', term.id, 'rows', term.rows)), '[]')
               from unnest(${fields}, ${texts}) as wanted (field, value)
               join search_terms term
                 on term.subject = ${subjectValue} and term.field = wanted.field and term.value = wanted.value
           ) as terms,
           coalesce(
             (select json_agg(distinct owned.id) from (${idsOfDomain(subject, domain)}) owned), '[]'
           ) as ids`
  const [entries] = await world.read<DictionaryEntries>({
    name: `search_dictionary_${subject}`,
    text,
    values: values.list,
    genericPlan: true,
  })
  if (entries === undefined) throw new Error('the query returned no row; expected one')
  return entries
}
