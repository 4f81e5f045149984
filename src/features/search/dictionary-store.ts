import type { World } from '../../database/open.ts'
import type { SearchSubject, Term } from './contract.ts'
import { idsOfDomain, MatchValues } from './match-store.ts'

export type StoredTerm = Term & { id: number; rows: number }

export type DictionaryEntries = {
  version: number
  rowCount: number
  terms: StoredTerm[]
  ids: number[]
}

export async function readDictionary(
  world: World,
  subject: SearchSubject,
  filters: readonly Term[],
  textDomain: string | null,
): Promise<DictionaryEntries> {
  const values = new MatchValues()
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
