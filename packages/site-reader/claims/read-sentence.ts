/** Reads one sentence: companies with their roles, license numbers, registration and address. */
import { readDomain } from '@baize/names'
import { type CompanyName, findCompanyNames } from './company-names.ts'
import { findNumbers, findRegulators, type LicenseNumber, type Regulator } from './find-numbers.ts'
import { type Place, wordsWithPlaces } from './place-words.ts'
import { findRegistrationNumbers, type RegistrationNumber } from './registration-numbers.ts'
import { type ClaimType, type ClaimWords, findClaimWords, type RoleWords } from './role-words.ts'
import { namesSite } from './site-names.ts'

const addressWordGapMax = 40
const addressCharactersMax = 200
const addressCharactersMin = 8

/**
 * Returns the place of ` at ` after a number, as in `number 154834 at Zuikertuintjeweg`. An address follows
 * it.
 */
function addressWordAfter(text: string, number: RegistrationNumber): Place | null {
  const found = /^[,)]?\s+(?:and\s+)?at\s/.exec(text.slice(number.end, number.end + addressWordGapMax))
  return found === null ? null : { start: number.end, end: number.end + found[0].length }
}

/**
 * Reads an address up to the next phrase or name, or the end of the sentence. Returns null if it is no
 * address.
 */
function addressAfter(text: string, end: number, stops: readonly Place[]): string | null {
  const next = Math.min(...stops.filter(({ start }) => start >= end).map(({ start }) => start), text.length)
  const bounded = text.slice(end, Math.min(next, end + addressCharactersMax))
  const isCut = next > end + addressCharactersMax && text.length > end + addressCharactersMax
  if (isCut) return null
  const words = bounded.replace(/^[\s:(,-]+/u, '').split(/\s+/)
  while (words.length > 0 && isTrailing(words.at(-1) as string)) words.pop()
  const address = words.join(' ').replace(/[\s,;.()–-]+$/u, '')
  const isAddress = address.length >= addressCharactersMin && /\d|,/.test(address) && /\p{Lu}/u.test(address)
  return isAddress ? address : null
}

/** Matches words that lead to the next phrase: `, and`, `which is`, `(the`. */
const isTrailing = (word: string): boolean => /^[^\p{L}\p{N}]*(?:\p{Ll}[\p{Ll}\p{P}]*)?$/u.test(word)

export type Party = CompanyName & {
  roles: Set<ClaimType>
  numbers: LicenseNumber[]
  registrationNumber: string | null
  address: string | null
}

export type Sentence = {
  text: string
  parties: Party[]
  numbers: LicenseNumber[]
  namesRegulator: boolean
}

/** Limits the characters between the words of a role and the name. */
const gapBeforeMax = 80
const gapAfterMax = 250
/**
 * Limits the gap for a verb that may precede or follow its subject (`ylläpitää`), because the name is close
 * to it.
 */
const gapEitherMax = 40

/**
 * Returns null if the sentence names neither a company nor a license number, or if it is about another
 * site.
 */
export function readSentence(text: string, domain: string): Sentence | null {
  const found = findCompanyNames(text)
  if (found.length === 0 && !/\d/.test(text)) return null
  const placed = wordsWithPlaces(text)
  const numbers = findNumbers(text, placed)
  if (found.length === 0 && numbers.length === 0) return null
  const regulators = findRegulators(text, placed)
  const words = findClaimWords(placed)
  const names = found
    .map(name => withoutRole(text, withoutRegulator(text, name, regulators), words.roles))
    .filter(name => !isRegulator(name, regulators))
  if (isAboutOtherSite(text, domain, words)) return null
  const registrations = findRegistrationNumbers(text, words.registration, { taken: numbers, names })
  const parties = names.map((name, index) => ({
    ...name,
    roles: new Set<ClaimType>(),
    numbers: [],
    ...detailsOf(text, name, {
      previous: names[index - 1],
      next: names[index + 1],
      ...{ words, numbers, regulators, registrations },
    }),
  }))
  const isOfSite = numbers.length > 0 || regulators.length > 0 || namesSite(text, domain)
  for (const role of words.roles) assignRole(role, parties, isOfSite)
  for (const number of numbers) holderOf(number, parties, { text, words })?.numbers.push(number)
  return { text, parties, numbers, namesRegulator: regulators.length > 0 }
}

/**
 * Removes the words of a role from the beginning of a name: `Betreiber Alpha GmbH`, `Prowadzi Alfa Sp. z
 * o.o.`
 */
function withoutRole(text: string, name: CompanyName, roles: readonly RoleWords[]): CompanyName {
  const isLed = roles.some(({ end }) => end <= name.start && name.start - end <= ledMax)
  const role = isLed ? undefined : roles.find(({ start, end }) => start === name.start && end < name.end)
  const [inner] = role === undefined ? [] : findCompanyNames(text.slice(role.end, name.end))
  if (role === undefined || inner === undefined) return name
  return { name: inner.name, start: role.end + inner.start, end: role.end + inner.end }
}

/** A name this near to the words of a role may begin with a word of one: `Operado por Operadora Alfa S.A.` */
const ledMax = 2

/** Removes the regulator that grants to the company: `por Coljuegos a Alfa S.A.S.` */
function withoutRegulator(text: string, name: CompanyName, regulators: readonly Regulator[]): CompanyName {
  const regulator = regulators.find(({ start, end }) => start === name.start && end < name.end)
  if (regulator === undefined || !/^\s+\p{Ll}{1,3}\s/u.test(text.slice(regulator.end, name.end))) return name
  const [inner] = findCompanyNames(text.slice(regulator.end, name.end))
  if (inner === undefined) return name
  return { name: inner.name, start: regulator.end + inner.start, end: regulator.end + inner.end }
}

/** Detects regulators that have the name of a company, such as `Antillephone N.V.` */
function isRegulator(name: CompanyName, regulators: readonly Regulator[]): boolean {
  return regulators.some(
    each =>
      each.start === name.start && (each.end - each.start) * 2 >= name.end - name.start - ' N.V.'.length,
  )
}

const hostLike = /(?<![@\w.-])(?:[a-z0-9-]+\.)+[a-z]{2,}(?![\w@-])/giu

/** Detects `www.other.example is operated by …`, unless the sentence also names this site. */
function isAboutOtherSite(text: string, domain: string, { roles }: ClaimWords): boolean {
  const [label] = domain.split('.')
  const sites = [...text.matchAll(hostLike)].flatMap(({ 0: host, index }) => {
    const read = readDomain(host)
    return read.ok ? [{ domain: read.domain, index }] : []
  })
  if (sites.some(site => site.domain.split('.')[0] === label)) return false
  return sites.some(site => roles.some(role => site.index < role.start))
}

type Surroundings = {
  previous: CompanyName | undefined
  next: CompanyName | undefined
  words: ClaimWords
  numbers: readonly LicenseNumber[]
  regulators: readonly Regulator[]
  registrations: readonly RegistrationNumber[]
}

/** Limits the characters between a number and the name after it: `158233 numara ile kayıtlı Alfa N.V.` */
const numberBeforeNameMax = 60

function detailsOf(
  text: string,
  name: CompanyName,
  { previous, next, words, numbers, regulators, registrations }: Surroundings,
): Pick<Party, 'registrationNumber' | 'address'> {
  const end = next?.start ?? text.length
  const within = (place: { start: number }) => place.start >= name.end && place.start < end
  const number = registrations.find(within)
  const ahead = registrations.findLast(
    each => each.end <= name.start && name.start - each.end <= numberBeforeNameMax,
  )
  const beside = number === undefined ? null : addressWordAfter(text, number)
  const address = [...words.address.filter(within), ...(beside === null ? [] : [beside])]
  const stops = [...words.registration.before, ...registrations, ...words.roles, ...numbers, ...regulators]
  const [found] = address.flatMap(
    place => addressAfter(text, place.end, [...stops.filter(within), { start: end, end }]) ?? [],
  )
  const own = number ?? (previous === undefined ? ahead : undefined)
  return { registrationNumber: own?.number ?? null, address: found ?? null }
}

function assignRole({ roles, start, end }: RoleWords, parties: readonly Party[], isOfSite: boolean): void {
  const next = parties.find(party => party.start >= end)
  const previous = parties.findLast(party => party.end <= start)
  const gapBefore = next === undefined ? Number.POSITIVE_INFINITY : next.start - end
  const gapAfter = previous === undefined ? Number.POSITIVE_INFINITY : start - previous.end
  const claimed = roles.flatMap(({ type, side }) => {
    if (type === 'grantee' || (type === 'operator_if_of_site' && !isOfSite)) return []
    return [{ type: type === 'operator_if_of_site' ? ('operator' as const) : type, side }]
  })
  for (const type of new Set(claimed.map(role => role.type))) {
    const sides = new Set(claimed.filter(role => role.type === type).map(role => role.side))
    const gapMax = sides.size === 2 && previous !== undefined ? gapEitherMax : gapBeforeMax
    if (sides.has('before') && gapBefore <= gapMax) next?.roles.add(type)
    else if (sides.has('after') && gapAfter <= gapAfterMax) previous?.roles.add(type)
  }
}

const onlyServes = new Set<ClaimType>(['billing_agent', 'data_controller'])

/**
 * Returns the company to which the number is granted after it, or else the last company before the number
 * whose role is more than billing, or else the first one after it.
 */
function holderOf(
  number: LicenseNumber,
  parties: readonly Party[],
  { text, words }: { text: string; words: ClaimWords },
): Party | undefined {
  const serves = ({ roles }: Party) => roles.size > 0 && [...roles].every(role => onlyServes.has(role))
  const before = parties.filter(party => party.end <= number.start)
  const after = parties.filter(party => party.start >= number.end)
  const [next] = after
  if (next !== undefined && isGranted(number, next, { text, words })) return next
  return before.findLast(party => !serves(party)) ?? after.find(party => !serves(party))
}

const grantGapMax = 90
const ofCompany = /^[\s,)]*(?:of|de|di|der|van|von|af|av)\s+(?:the\s+|la\s+)?$/

/** Checks whether the words between or after say that the number is the company's: `granted to Beta Ltd`. */
function isGranted(
  number: LicenseNumber,
  party: Party,
  { text, words }: { text: string; words: ClaimWords },
): boolean {
  if (party.start - number.end > grantGapMax) return false
  if (ofCompany.test(text.slice(number.end, party.start))) return true
  return words.roles.some(({ start, end, roles }) =>
    roles.some(
      ({ type, side }) =>
        type === 'grantee' &&
        (side === 'before'
          ? start >= number.end && end <= party.start && party.start - end <= gapEitherMax
          : start >= party.end && start - party.end <= gapEitherMax),
    ),
  )
}
