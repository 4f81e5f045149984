/** Caches filter values per version of the data, so that a search reads only the version (decision 8). */

import type { PointRead } from '@baize/postgres'
import { LRUCache } from 'lru-cache'
import type { World } from '../../database/open.ts'
import type { SearchSubject, Term } from './contract.ts'
import { type DictionaryEntries, readDictionary, type StoredTerm } from './dictionary-store.ts'
import { termKeyOf } from './rows/search-row.ts'

const datasetVersion: PointRead<{ key: string; version: number }> = {
  name: 'search_dataset_version',
  text: `
    select requested.key, dataset.version
      from unnest($1::text[]) as requested (key)
     cross join dataset_version dataset`,
  keyOf: row => row.key,
}

/** Reads the version of the data. Concurrent requests share one read. */
export async function readDictionaryVersion(world: World): Promise<number> {
  const row = await world.readByKey(datasetVersion, 'now')
  if (row === undefined) throw new Error('dataset_version has no row')
  return row.version
}

const termsMax = 20_000

/** The terms of one version; `stored` is null if no row has ever had the term. */
type Dictionary = {
  version: number
  rowCount: number
  terms: LRUCache<string, { stored: StoredTerm | null }>
}

const dictionaries = new WeakMap<World, Map<SearchSubject, Dictionary>>()

/**
 * The version to use: the number reported in this request, the `last known` one, which the search verifies,
 * or `now` for a new read.
 */
export type AtVersion = number | 'last known' | 'now'

export async function lookUpTerms(
  world: World,
  query: { subject: SearchSubject; filters: readonly Term[]; textDomain: string | null },
  at: AtVersion,
): Promise<DictionaryEntries> {
  const { subject, filters, textDomain } = query
  const cached = textDomain === null ? await cachedTerms(world, subject, filters, at) : null
  if (cached !== null) return cached
  const entries = await readDictionary(world, subject, filters, textDomain)
  const dictionary = dictionaryOf(world, subject, entries)
  const stored = new Map(entries.terms.map(term => [termKeyOf(term), term]))
  for (const filter of filters)
    dictionary.terms.set(termKeyOf(filter), { stored: stored.get(termKeyOf(filter)) ?? null })
  return entries
}

async function cachedTerms(
  world: World,
  subject: SearchSubject,
  filters: readonly Term[],
  at: AtVersion,
): Promise<DictionaryEntries | null> {
  const dictionary = dictionaries.get(world)?.get(subject)
  if (dictionary === undefined) return null
  const version =
    at === 'last known' ? dictionary.version : at === 'now' ? await readDictionaryVersion(world) : at
  if (dictionary.version !== version) return null
  const terms: StoredTerm[] = []
  for (const filter of filters) {
    const term = dictionary.terms.get(termKeyOf(filter))
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
