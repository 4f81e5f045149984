/** What one sentence says: companies with their roles, license numbers, registration and address. */
import { readDomain } from '../../../core/domain-name.ts'
import { addressAfter, addressWordAfter, numberAfter } from './claim-details.ts'
import { type CompanyName, findCompanyNames } from './company-names.ts'
import { findNumbers, findRegulators, type LicenseNumber, type Regulator } from './find-numbers.ts'
import { wordsWithPlaces } from './place-words.ts'
import { type ClaimType, type ClaimWords, findClaimWords, type RoleWords } from './role-words.ts'

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

/** Between the words of a role and the name. */
const gapBeforeMax = 80
const gapAfterMax = 250
/** A verb that stands on either side of its subject (`ylläpitää`) has it close behind. */
const gapEitherMax = 40

/** null: the sentence names no company and no license number, or another site. */
export function readSentence(text: string, domain: string): Sentence | null {
  const found = findCompanyNames(text)
  if (found.length === 0 && !/\d/.test(text)) return null
  const placed = wordsWithPlaces(text)
  const numbers = findNumbers(text, placed)
  if (found.length === 0 && numbers.length === 0) return null
  const regulators = findRegulators(text, placed)
  const words = findClaimWords(placed)
  const names = found
    .map(name => withoutRole(text, name, words.roles))
    .filter(name => !isRegulator(name, regulators))
  if (isAboutOtherSite(text, domain, words)) return null
  const parties = names.map((name, index) => ({
    ...name,
    roles: new Set<ClaimType>(),
    numbers: [],
    ...detailsOf(text, name.end, { next: names[index + 1], words, numbers, regulators }),
  }))
  for (const role of words.roles) assignRole(role, parties)
  for (const number of numbers) holderOf(number, parties)?.numbers.push(number)
  return { text, parties, numbers, namesRegulator: regulators.length > 0 }
}

/** `Betreiber Alpha GmbH`, `Prowadzi Alfa Sp. z o.o.`: the words of a role begin no name. */
function withoutRole(text: string, name: CompanyName, roles: readonly RoleWords[]): CompanyName {
  const role = roles.find(({ start, end }) => start === name.start && end < name.end)
  const [inner] = role === undefined ? [] : findCompanyNames(text.slice(role.end, name.end))
  if (role === undefined || inner === undefined) return name
  return { name: inner.name, start: role.end + inner.start, end: role.end + inner.end }
}

/** `Antillephone N.V.` is who licenses. */
function isRegulator(name: CompanyName, regulators: readonly Regulator[]): boolean {
  return regulators.some(
    each =>
      each.start === name.start && (each.end - each.start) * 2 >= name.end - name.start - ' N.V.'.length,
  )
}

const hostLike = /(?<![@\w.-])(?:[a-z0-9-]+\.)+[a-z]{2,}(?![\w@-])/giu

/** `www.other.example is operated by …`, unless it also names this site. */
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
  next: CompanyName | undefined
  words: ClaimWords
  numbers: readonly LicenseNumber[]
  regulators: readonly Regulator[]
}

function detailsOf(
  text: string,
  start: number,
  { next, words, numbers, regulators }: Surroundings,
): Pick<Party, 'registrationNumber' | 'address'> {
  const end = next?.start ?? text.length
  const within = (place: { start: number }) => place.start >= start && place.start < end
  const registration = words.registration.filter(within)
  const [number] = registration.flatMap(place => numberAfter(text, place.end, numbers) ?? [])
  const beside = number === undefined ? null : addressWordAfter(text, number)
  const address = [...words.address.filter(within), ...(beside === null ? [] : [beside])]
  const stops = [...registration, ...words.roles, ...numbers, ...regulators, { start: end, end }]
  const [found] = address.flatMap(place => addressAfter(text, place.end, stops) ?? [])
  return { registrationNumber: number?.number ?? null, address: found ?? null }
}

function assignRole({ roles, start, end }: RoleWords, parties: readonly Party[]): void {
  const next = parties.find(party => party.start >= end)
  const previous = parties.findLast(party => party.end <= start)
  const gapBefore = next === undefined ? Number.POSITIVE_INFINITY : next.start - end
  const gapAfter = previous === undefined ? Number.POSITIVE_INFINITY : start - previous.end
  for (const type of new Set(roles.map(role => role.type))) {
    const sides = new Set(roles.filter(role => role.type === type).map(role => role.side))
    const gapMax = sides.size === 2 && previous !== undefined ? gapEitherMax : gapBeforeMax
    if (sides.has('before') && gapBefore <= gapMax) next?.roles.add(type)
    else if (sides.has('after') && gapAfter <= gapAfterMax) previous?.roles.add(type)
  }
}

const onlyServes = new Set<ClaimType>(['billing_agent', 'data_controller'])

/** The last company before the number that does more than bill, else the first one after it. */
function holderOf(number: LicenseNumber, parties: readonly Party[]): Party | undefined {
  const serves = ({ roles }: Party) => roles.size > 0 && [...roles].every(role => onlyServes.has(role))
  const before = parties.filter(party => party.end <= number.start)
  const after = parties.filter(party => party.start >= number.end)
  return before.findLast(party => !serves(party)) ?? after.find(party => !serves(party))
}
