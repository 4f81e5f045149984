/** Words of all languages that say what a company is to a site (rules/role-words.yaml). */
import { type Phrase, phrasesOf, readClaimRules } from './number-rules.ts'
import { type Place, type PlacedWord, placeOfPhrase, wordsWithPlaces } from './place-words.ts'

const claimTypes = ['owner', 'operator', 'billing_agent', 'data_controller', 'licensee'] as const
export type ClaimType = (typeof claimTypes)[number]

/** `before`: the name follows the words; `after`: they follow the name. */
export type RoleWords = Place & { roles: { type: ClaimType; side: 'before' | 'after' }[] }

type Kind = { type: ClaimType; side: 'before' | 'after' } | 'registration_number' | 'registered_address'
type Declared = Record<ClaimType, Record<string, { before: string[]; after: string[] }>> &
  Record<'registration_number' | 'registered_address', Record<string, string[]>>

type Indexed = { phrase: Phrase; kind: Kind }

function readPhrases(): Indexed[] {
  const declared = readClaimRules<Declared>('role-words.yaml')
  const ofRoles = claimTypes.flatMap(type =>
    Object.values(declared[type]).flatMap(sides =>
      (['before', 'after'] as const).flatMap(side =>
        phrasesOf(sides[side]).map(phrase => ({ phrase, kind: { type, side } })),
      ),
    ),
  )
  const ofDetails = (['registration_number', 'registered_address'] as const).flatMap(kind =>
    phrasesOf(Object.values(declared[kind]).flat()).map(phrase => ({ phrase, kind })),
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
    (byFirstWord.get(word.word) ?? []).flatMap(({ phrase, kind }) => {
      const place = placeOfPhrase(words, phrase, at)
      return place === null ? [] : [{ kind, ...place }]
    }),
  )
  const isDetail = (kind: Kind): kind is 'registration_number' | 'registered_address' =>
    typeof kind === 'string'
  const details = (wanted: Kind) => longest(all.filter(({ kind }) => kind === wanted))
  const ofRoles = all.flatMap(({ kind, ...place }) => (isDetail(kind) ? [] : [{ kind, ...place }]))
  const byPlace = Map.groupBy(ofRoles, ({ start, end }) => `${start}-${end}`)
  const roles = [...byPlace.values()].map(each => {
    const [{ start, end }] = each as [(typeof ofRoles)[number]]
    return { start, end, roles: each.map(({ kind }) => kind) }
  })
  return {
    roles: longest(roles),
    registration: details('registration_number'),
    address: details('registered_address'),
  }
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
