/** Finds words, in all languages, for the role of a company on a site (rules/role-words.yaml). */
import { readRuleFile } from '../read-rule-file.ts'
import { type Phrase, phrasesOf } from './number-rules.ts'
import { type Place, type PlacedWord, placeOfPhrase, wordsWithPlaces } from './place-words.ts'
import type { RegistrationWords } from './registration-numbers.ts'

const claimTypes = ['owner', 'operator', 'billing_agent', 'data_controller', 'licensee'] as const
export type ClaimType = (typeof claimTypes)[number]

/**
 * What words say of a company. `operator_if_of_site` needs a sentence about the site. `grantee` is the holder
 * of the license number before the words.
 */
type RoleType = ClaimType | 'operator_if_of_site' | 'grantee'
const roleTypes: readonly RoleType[] = [...claimTypes, 'operator_if_of_site', 'grantee']

/** Words of a role. With the side `before` the name follows the words; with `after` it precedes them. */
export type RoleWords = Place & { roles: { type: RoleType; side: 'before' | 'after' }[] }

type Kind = { type: RoleType; side: 'before' | 'after' } | Detail | 'other'
const detailKinds = ['registration_number', 'after_registration_number', 'registered_address'] as const
type Detail = (typeof detailKinds)[number]
type Declared = Record<RoleType, Record<string, { before: string[]; after: string[] }>> &
  Record<Detail | 'other', Record<string, string[]>>

/** A phrase whose `rest` may follow a few words of place or law, as in `operated in Ontario by`. */
type Indexed = { phrase: Phrase; rest: Phrase | null; kind: Kind }

const gapWordsMax = 4
const prepositions = new Set(
  [
    'in within under on for from at across outside im unter en au aux dans sous em no na bajo sotto onder op',
    'i w we v ve pod в на по під by por pelo pela von vom der dal dalla door przez od av af от від',
  ].flatMap(words => words.split(' ')),
)

function indexed(texts: readonly string[], kind: Kind): Indexed[] {
  return texts.map(text => {
    const [phrase = [], rest = null] = phrasesOf(text.split('…'))
    return { phrase, rest, kind }
  })
}

function readPhrases(): Indexed[] {
  const declared = readRuleFile<Declared>('role-words')
  const ofRoles = roleTypes.flatMap(type =>
    Object.values(declared[type]).flatMap(sides =>
      (['before', 'after'] as const).flatMap(side => indexed(sides[side], { type, side })),
    ),
  )
  const ofDetails = ([...detailKinds, 'other'] as const).flatMap(kind =>
    indexed(Object.values(declared[kind]).flat(), kind),
  )
  return [...ofRoles, ...ofDetails]
}

const byFirstWord = Map.groupBy(readPhrases(), ({ phrase }) => phrase[0])

export type ClaimWords = { roles: RoleWords[]; registration: RegistrationWords; address: Place[] }

/** Detects a label such as `Operator`, `Licence holder:` or `Company number`, which describes the next text. */
export function isClaimLabel(text: string): boolean {
  const words = wordsWithPlaces(text.slice(0, labelCharactersMax + 1))
  const [first, last] = [words[0], words.at(-1)]
  if (text.length > labelCharactersMax || first === undefined || last === undefined) return false
  const isWhole = ({ start, end }: Place) => start === first.start && end === last.end
  const { roles, registration } = findClaimWords(words)
  const isBefore = ({ type, side }: RoleWords['roles'][number]) => side === 'before' && type !== 'grantee'
  return roles.some(each => isWhole(each) && each.roles.some(isBefore)) || registration.before.some(isWhole)
}

const labelCharactersMax = 60

/**
 * Finds words of roles. The longest of overlapping phrases counts: `is the operator of` is not `operator`.
 */
export function findClaimWords(words: readonly PlacedWord[]): ClaimWords {
  const all = words.flatMap((word, at) =>
    (byFirstWord.get(word.word) ?? []).flatMap(({ phrase, rest, kind }) => {
      const place = placeOfPhrase(words, phrase, at)
      const end = rest === null ? place?.end : endAfterGap(words, rest, at + phrase.length)
      return place === null || end === undefined ? [] : [{ kind, start: place.start, end }]
    }),
  )
  const isDetail = (kind: Kind): kind is Detail => detailKinds.some(each => each === kind)
  const details = (wanted: Kind) => longest(all.filter(({ kind }) => kind === wanted))
  const ofRoles = all.flatMap(({ kind, ...place }) => (isDetail(kind) ? [] : [{ kind, ...place }]))
  const byPlace = Map.groupBy(ofRoles, ({ start, end }) => `${start}-${end}`)
  const roles: RoleWords[] = [...byPlace.values()].map(each => {
    const [{ start, end }] = each as [(typeof ofRoles)[number]]
    return { start, end, roles: each.flatMap(({ kind }) => (kind === 'other' ? [] : [kind])) }
  })
  return {
    roles: longest([...roles, ...joined(roles)]).filter(each => each.roles.length > 0),
    registration: { before: details('registration_number'), after: details('after_registration_number') },
    address: details('registered_address'),
  }
}

function endAfterGap(words: readonly PlacedWord[], rest: Phrase, from: number): number | undefined {
  if (!prepositions.has(words[from]?.word ?? '')) return undefined
  for (let at = from + 1; at <= from + gapWordsMax; at += 1) {
    const place = placeOfPhrase(words, rest, at)
    if (place !== null) return place.end
  }
  return undefined
}

/** Joins words that share a word: `владельцем и оператором` and `оператором сайта является`. */
function joined(roles: readonly RoleWords[]): RoleWords[] {
  const isBefore = (each: RoleWords) =>
    each.roles.length > 0 && each.roles.every(({ side }) => side === 'before')
  return roles.filter(isBefore).flatMap((each, at, all) => {
    const next = all
      .slice(at + 1, at + 1 + joinedMax)
      .find(({ start, end }) => start > each.start && end > each.end)
    if (next === undefined || next.start >= each.end) return []
    return [{ start: each.start, end: next.end, roles: [...each.roles, ...next.roles] }]
  })
}
const joinedMax = 4

/** Chooses the longest of overlapping places, which must be in the order of the text. */
function longest<Each extends Place>(places: readonly Each[]): Each[] {
  const length = ({ start, end }: Place) => end - start
  const lengthMax = places.reduce((max, each) => Math.max(max, length(each)), 0)
  let from = 0
  return places.filter(each => {
    while ((places[from] as Each).start <= each.start - lengthMax) from += 1
    for (let at = from; at < places.length; at += 1) {
      const other = places[at] as Each
      if (other.start >= each.end) return true
      if (other.end > each.start && length(other) > length(each)) return false
    }
    return true
  })
}
