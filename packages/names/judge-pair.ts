/** Says what speaks for and against two Companies being one party, as a small sum of evidence. Pure. */
import { editDistance } from './edit-distance.ts'

/** What is compared of a Company, from all its identities. */
export type ComparedCompany = {
  id: number
  /** Linking keys of its legal names. */
  nameKeys: readonly string[]
  brands: readonly string[]
  numbers: readonly string[]
  countries: readonly string[]
  streams: readonly string[]
  domains: readonly string[]
}

/** The sum orders pairs for staff and decides nothing. docs/identity-quality.md has the figures. */
const weights = {
  'same number': 60,
  'same name': 40,
  'same name with another legal form': 25,
  'one name begins with the other': 15,
  'names differ in one letter': 15,
  'brand of one is the name of the other': 20,
  'shared domain': 25,
  'same country': 10,
  'different countries': -15,
  'two accounts of one register': -10,
} as const
type Reason = keyof typeof weights

export type Judgement = { score: number; speaksFor: Reason[]; speaksAgainst: Reason[] }

/** Pairs below this are not shown: two sites of one platform, or a likeness that something contradicts. */
const scoreMin = 10
const beginningLettersMin = 8

/** Returns null for no candidates: nothing speaks for it, or two numbers of one register forbid it. */
export function judgePair(one: ComparedCompany, other: ComparedCompany): Judgement | null {
  if (areContradictory(one.numbers, other.numbers)) return null
  const reasons: Reason[] = []
  if (share(one.numbers, other.numbers)) reasons.push('same number')
  const ofNames = likenessOfNames(one, other)
  if (ofNames !== null) reasons.push(ofNames)
  if (hasBrandOf(one, other) || hasBrandOf(other, one)) reasons.push('brand of one is the name of the other')
  if (share(one.domains, other.domains)) reasons.push('shared domain')
  if (reasons.length === 0) return null
  if (share(one.countries, other.countries)) reasons.push('same country')
  else if (one.countries.length > 0 && other.countries.length > 0) reasons.push('different countries')
  if (share(one.streams, other.streams)) reasons.push('two accounts of one register')
  const score = reasons.reduce((sum, reason) => sum + weights[reason], 0)
  if (score < scoreMin) return null
  return {
    score,
    speaksFor: reasons.filter(reason => weights[reason] > 0),
    speaksAgainst: reasons.filter(reason => weights[reason] < 0),
  }
}

const share = (one: readonly string[], other: readonly string[]) => one.some(value => other.includes(value))

function areContradictory(one: readonly string[], other: readonly string[]): boolean {
  const registerOf = (number: string) => number.split(':', 1)[0]
  return (
    !share(one, other) &&
    one.some(number => other.some(another => registerOf(number) === registerOf(another)))
  )
}

const stemOf = (nameKey: string) => nameKey.split(' ', 1)[0] as string

function likenessOfNames({ nameKeys: one }: ComparedCompany, { nameKeys: other }: ComparedCompany) {
  if (share(one, other)) return 'same name'
  const [stems, otherStems] = [one.map(stemOf), other.map(stemOf)]
  if (share(stems, otherStems)) return 'same name with another legal form'
  const isPair = (test: (stem: string, another: string) => boolean) =>
    stems.some(stem => otherStems.some(another => test(stem, another)))
  if (isPair((stem, another) => begins(stem, another) || begins(another, stem)))
    return 'one name begins with the other'
  return isPair(
    (stem, another) => stem.length >= beginningLettersMin && editDistance([...stem], [...another], 1) <= 1,
  )
    ? 'names differ in one letter'
    : null
}

const begins = (stem: string, another: string) =>
  another.length >= beginningLettersMin && stem.startsWith(another)

const hasBrandOf = ({ brands }: ComparedCompany, { nameKeys }: ComparedCompany) =>
  brands.some(brand => nameKeys.some(key => stemOf(key) === brand))
