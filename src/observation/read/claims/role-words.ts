/** Words of all languages that say what a company is to a site (rules/role-words.yaml). */
import { type Phrase, phrasesOf, readClaimRules } from './number-rules.ts'
import { type Place, type PlacedWord, placeOfPhrase, wordsWithPlaces } from './place-words.ts'

const claimTypes = ['owner', 'operator', 'billing_agent', 'data_controller', 'licensee'] as const
export type ClaimType = (typeof claimTypes)[number]

/** `before`: the name follows the words; `after`: they follow the name. */
export type RoleWords = Place & { roles: { type: ClaimType; side: 'before' | 'after' }[] }

type Kind = { type: ClaimType; side: 'before' | 'after' } | Detail | 'other'
type Detail = 'registration_number' | 'registered_address'
type Declared = Record<ClaimType, Record<string, { before: string[]; after: string[] }>> &
  Record<Detail | 'other', Record<string, string[]>>

/** `rest`: after a few words of place or law, `operated in Ontario by`. */
type Indexed = { phrase: Phrase; rest: Phrase | null; kind: Kind }

const gapWordsMax = 4
const prepositions = new Set(
  [
    'in within under on for from at across outside im unter en au aux dans sous em no na bajo sotto onder op',
    'i w we v ve pod в на по під',
  ].flatMap(words => words.split(' ')),
)

function indexed(texts: readonly string[], kind: Kind): Indexed[] {
  return texts.map(text => {
    const [phrase = [], rest = null] = phrasesOf(text.split('…'))
    return { phrase, rest, kind }
  })
}

function readPhrases(): Indexed[] {
  const declared = readClaimRules<Declared>('role-words.yaml')
  const ofRoles = claimTypes.flatMap(type =>
    Object.values(declared[type]).flatMap(sides =>
      (['before', 'after'] as const).flatMap(side => indexed(sides[side], { type, side })),
    ),
  )
  const ofDetails = (['registration_number', 'registered_address', 'other'] as const).flatMap(kind =>
    indexed(Object.values(declared[kind]).flat(), kind),
  )
  return [...ofRoles, ...ofDetails]
}

const byFirstWord = Map.groupBy(readPhrases(), ({ phrase }) => phrase[0])

export type ClaimWords = { roles: RoleWords[]; registration: Place[]; address: Place[] }

/** `Operator`, `Licence holder:`: a text that only says what the next one is. */
export function isRoleLabel(text: string): boolean {
  const words = wordsWithPlaces(text.slice(0, labelCharactersMax + 1))
  const [first, last] = [words[0], words.at(-1)]
  if (text.length > labelCharactersMax || first === undefined || last === undefined) return false
  return findClaimWords(words).roles.some(
    ({ start, end, roles }) =>
      start === first.start && end === last.end && roles.some(({ side }) => side === 'before'),
  )
}

const labelCharactersMax = 60

/** Of overlapping phrases the longest: `is the operator of` is not `operator`. */
export function findClaimWords(words: readonly PlacedWord[]): ClaimWords {
  const all = words.flatMap((word, at) =>
    (byFirstWord.get(word.word) ?? []).flatMap(({ phrase, rest, kind }) => {
      const place = placeOfPhrase(words, phrase, at)
      const end = rest === null ? place?.end : endAfterGap(words, rest, at + phrase.length)
      return place === null || end === undefined ? [] : [{ kind, start: place.start, end }]
    }),
  )
  const isDetail = (kind: Kind): kind is Detail =>
    kind === 'registration_number' || kind === 'registered_address'
  const details = (wanted: Kind) => longest(all.filter(({ kind }) => kind === wanted))
  const ofRoles = all.flatMap(({ kind, ...place }) => (isDetail(kind) ? [] : [{ kind, ...place }]))
  const byPlace = Map.groupBy(ofRoles, ({ start, end }) => `${start}-${end}`)
  const roles = [...byPlace.values()].map(each => {
    const [{ start, end }] = each as [(typeof ofRoles)[number]]
    return { start, end, roles: each.flatMap(({ kind }) => (kind === 'other' ? [] : [kind])) }
  })
  return {
    roles: longest(roles).filter(each => each.roles.length > 0),
    registration: details('registration_number'),
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

/** `places` are in the order of the text. */
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
