/** Filter values, cached per version of the data: a search then reads the version alone (decision 8). */
import { LRUCache } from 'lru-cache'
import type { PointRead } from '../../database/batch-reader.ts'
import type { World } from '../../database/open.ts'
import type { SearchSubject, TermFilter } from './contract.ts'
import { type DictionaryEntries, readDictionary, type StoredTerm } from './dictionary-store.ts'

const datasetVersion: PointRead<{ key: string; version: number }> = {
  name: 'search_dataset_version',
  text: `
    select requested.key, dataset.version
      from unnest($1::text[]) as requested (key)
     cross join dataset_version dataset`,
  keyOf: row => row.key,
  from: 'replica',
}

/** Concurrent requests share one read. */
export async function readVersion(world: World): Promise<number> {
  const row = await world.readByKey(datasetVersion, 'now')
  if (row === undefined) throw new Error('dataset_version has no row')
  return row.version
}

const termsMax = 20_000

/** Of one version. null: no row has ever had the term. */
type Dictionary = {
  version: number
  rowCount: number
  terms: LRUCache<string, { stored: StoredTerm | null }>
}

const dictionaries = new WeakMap<World, Map<SearchSubject, Dictionary>>()

const keyOf = ({ field, value }: TermFilter) => `${field}\n${value}`

/** A number: reported in this request. `last known`: cached, and checked by the search. `now`: read. */
export type AtVersion = number | 'last known' | 'now'

export async function lookUpTerms(
  world: World,
  query: { subject: SearchSubject; filters: readonly TermFilter[]; textDomain: string | null },
  at: AtVersion,
): Promise<DictionaryEntries> {
  const { subject, filters, textDomain } = query
  const cached = textDomain === null ? await cachedTerms(world, subject, filters, at) : null
  if (cached !== null) return cached
  const entries = await readDictionary(world, subject, filters, textDomain)
  const dictionary = dictionaryOf(world, subject, entries)
  const stored = new Map(entries.terms.map(term => [keyOf(term), term]))
  for (const filter of filters)
    dictionary.terms.set(keyOf(filter), { stored: stored.get(keyOf(filter)) ?? null })
  return entries
}

async function cachedTerms(
  world: World,
  subject: SearchSubject,
  filters: readonly TermFilter[],
  at: AtVersion,
): Promise<DictionaryEntries | null> {
  const dictionary = dictionaries.get(world)?.get(subject)
  if (dictionary === undefined) return null
  const version = at === 'last known' ? dictionary.version : at === 'now' ? await readVersion(world) : at
  if (dictionary.version !== version) return null
  const terms: StoredTerm[] = []
  for (const filter of filters) {
    const term = dictionary.terms.get(keyOf(filter))
    if (term === undefined) return null
    if (term.stored !== null) terms.push(term.stored)
  }
  return { version, rowCount: dictionary.rowCount, terms, ids: [] }
}

function dictionaryOf(
  world: World,
  subject: SearchSubject,
  { version, rowCount }: DictionaryEntries,
): Dictionary {
  let ofWorld = dictionaries.get(world)
  if (ofWorld === undefined) {
    ofWorld = new Map()
    dictionaries.set(world, ofWorld)
  }
  let dictionary = ofWorld.get(subject)
  if (dictionary?.version !== version) {
    dictionary = { version, rowCount, terms: new LRUCache({ max: termsMax }) }
    ofWorld.set(subject, dictionary)
  }
  return dictionary
}
