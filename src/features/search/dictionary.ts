/**
 * What a search has to know before it is planned, remembered for the version of the data that it was read at: a search whose
 * terms were asked for before reads the version alone, together with the other searches of the moment.
 */
import { LRUCache } from 'lru-cache'
import type { PointRead } from '../../database/batch-reader.ts'
import type { World } from '../../database/open.ts'
import type { SearchSubject, TermFilter } from './contract.ts'
import { type DictionaryEntries, readDictionary, type StoredTerm } from './dictionary-store.ts'

const datasetVersion: PointRead<{ key: string; version: number }> = {
  name: 'search_dataset_version',
  text: `
    select asked.key, held.version
      from unnest($1::text[]) as asked (key)
     cross join dataset_version held`,
  keyOf: row => row.key,
  from: 'replica',
}

/** The version of the data, as requests that are under way together read it together. */
export async function readVersion(world: World): Promise<number> {
  const row = await world.readByKey(datasetVersion, 'now')
  if (row === undefined) throw new Error('dataset_version has no row')
  return row.version
}

const termsMax = 20_000

/** Of one version. null: no row has ever held the term. */
type Dictionary = { version: number; every: number; terms: LRUCache<string, { known: StoredTerm | null }> }

const dictionaries = new WeakMap<World, Map<SearchSubject, Dictionary>>()

const keyOf = ({ field, value }: TermFilter) => `${field}\n${value}`

/**
 * Which version of the data a search is of. A number: the one that a statement of the same request told. `last known`: the one
 * that is remembered, unread, for the search runs a statement that tells whether it still is. `now`: it is read.
 */
export type AtVersion = number | 'last known' | 'now'

export async function askDictionary(
  world: World,
  subject: SearchSubject,
  filters: readonly TermFilter[],
  textDomain: string | null,
  at: AtVersion,
): Promise<DictionaryEntries> {
  const remembered = textDomain === null ? await recallTerms(world, subject, filters, at) : null
  if (remembered !== null) return remembered
  const found = await readDictionary(world, subject, filters, textDomain)
  const dictionary = dictionaryOf(world, subject, found)
  const known = new Map(found.terms.map(term => [keyOf(term), term]))
  for (const filter of filters)
    dictionary.terms.set(keyOf(filter), { known: known.get(keyOf(filter)) ?? null })
  return found
}

async function recallTerms(
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
    if (term.known !== null) terms.push(term.known)
  }
  return { version, every: dictionary.every, terms, ids: [] }
}

function dictionaryOf(
  world: World,
  subject: SearchSubject,
  { version, every }: DictionaryEntries,
): Dictionary {
  let ofWorld = dictionaries.get(world)
  if (ofWorld === undefined) {
    ofWorld = new Map()
    dictionaries.set(world, ofWorld)
  }
  let dictionary = ofWorld.get(subject)
  if (dictionary?.version !== version) {
    dictionary = { version, every, terms: new LRUCache({ max: termsMax }) }
    ofWorld.set(subject, dictionary)
  }
  return dictionary
}
