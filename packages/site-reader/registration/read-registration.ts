/** Reads `registration` (§2.10) from the answers of a registry and its registrar. */
import { foldedWords, formWordsAt, splitLegalForm } from '@baize/names'
import type { Capture } from '../capture.ts'
import type { Finding } from '../finding.ts'
import { readRuleFile } from '../read-rule-file.ts'
import {
  type Card,
  cardOf,
  entitiesOf,
  entityOf,
  eventAt,
  hasRole,
  type Members,
  membersOf,
  parseRdap,
  rdapList,
  rdapText,
} from './rdap-json.ts'

const statusesMax = 50

export function readRegistration(captures: readonly Capture[], domain: string): Finding[] {
  const answered = captures.flatMap((capture, position) => {
    const { kind, status, body, truncated } = capture
    if (kind !== 'rdap' || status !== 200 || body === null || truncated) return []
    const answer = parseRdap(body)
    return isAbout(answer, domain) ? [{ answer, position }] : []
  })
  const [registry] = answered
  if (registry === undefined) return []
  const answers = answered.map(({ answer }) => answer)
  const value = {
    registrar: firstOf(answers, registrarOf),
    registered_at: firstOf(answers, answer => eventAt(answer, 'registration')),
    updated_at: firstOf(answers, answer => eventAt(answer, 'last changed')),
    expires_at: firstOf(answers, answer => eventAt(answer, 'expiration')),
    domain_statuses: statusesOf(registry.answer),
    registrant: readRegistrant(answers),
  }
  return [
    {
      section: 'registration',
      valueKey: '',
      value,
      rule: 'rdap',
      strength: 3,
      capture: registry.position,
      snippet: null,
    },
  ]
}

/**
 * Checks that an answer is about the domain, because a server may return another one or an error page in
 * JSON.
 */
function isAbout({ objectClassName, ldhName }: Members, domain: string): boolean {
  const name = rdapText(ldhName)?.toLowerCase().replace(/\.$/, '')
  return (objectClassName === 'domain' || objectClassName === undefined) && name === domain
}

/** Returns the registry's value, or else the registrar's. */
function firstOf(answers: readonly Members[], read: (answer: Members) => string | null): string | null {
  for (const answer of answers) {
    const value = read(answer)
    if (value !== null) return value
  }
  return null
}

/** Returns the registrar's name, which some registries publish in an entity below another one. */
function registrarOf(answer: Members): string | null {
  const entities = entitiesOf(answer)
  const nested = entities.flatMap(entitiesOf)
  const registrars = [...entities, ...nested].filter(entity => hasRole(entity, 'registrar'))
  const ofRegistrars = registrars.map(registrarName)
  const below = registrars.flatMap(entitiesOf).map(organisationName)
  return [...ofRegistrars, ...below].find(name => name !== null) ?? null
}

function registrarName(entity: Members): string | null {
  const card = cardOf(entity)
  const isName = (name: string | null | undefined) => typeof name === 'string' && !isHandle(name, entity)
  return [card?.organization, card?.name].find(isName) ?? null
}

/** Returns the organisation of an entity. A person who answers for a registrar is not named. */
function organisationName(entity: Members): string | null {
  const card = cardOf(entity)
  return card?.kind === 'org' || card?.organization ? registrarName(entity) : null
}

/** Matches `1455`, `REG-LP-204` and `BS12`, and texts without a letter. */
const handleShape = /^[^\p{L}]*$|^[A-Z]{2,}\d+$|^(?=.*\d)[A-Z0-9]+(?:[-_:.][A-Z0-9]+)+$|^REG-[A-Z0-9-]+$/u

/** Detects an identifier in the place of a name. A handle of letters alone can be a name: `OVH`. */
const isHandle = (name: string, { handle }: Members): boolean =>
  handleShape.test(name) || (name === rdapText(handle) && /[^\p{L}\s&.]/u.test(name))

function statusesOf({ status }: Members): string[] {
  const statuses = rdapList(status).map(rdapText)
  return [...new Set(statuses.filter(each => each !== null))].slice(0, statusesMax)
}

type Registrant = {
  disclosure_status: 'public' | 'redacted' | 'unavailable'
  name: string | null
  organization: string | null
  country_code: string | null
}

const fold = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

const privacy = readRuleFile<{
  words: string[]
  services: string[]
  organisations: string[]
  surnames: string[]
}>('registrant-privacy')
const organisationWords = new Set(privacy.organisations.flatMap(foldedWords))
const surnames = new Set(privacy.surnames)
const privacyTexts = [...privacy.words, ...privacy.services].map(fold)

/** Detects texts of dashes or dots only, which mean no value. */
const isNothing = (text: string): boolean => !/[\p{L}\p{N}]/u.test(text)

const isHidden = (text: string | null): boolean =>
  text !== null && privacyTexts.some(each => fold(text).includes(each))

const unknown = { name: null, organization: null, country_code: null }

/**
 * Returns only an organisation that the registry publishes. Names of people are personal data, so they are
 * always redacted, even if the registry publishes them.
 */
export function readRegistrant(answers: readonly Members[]): Registrant {
  const cards = answers.map(answer => cardOf(entityOf(answer, 'registrant'))).filter(card => card !== null)
  // The registrar's answer comes first, because it has more than a thin registry's.
  for (const card of cards.toReversed()) {
    const organization = organizationOf(card)
    if (organization !== null)
      return { disclosure_status: 'public', name: null, organization, country_code: card.country }
  }
  const isRedacted = cards.length > 0 || answers.some(namesRedactedRegistrant)
  return { disclosure_status: isRedacted ? 'redacted' : 'unavailable', ...unknown }
}

function organizationOf({ kind, name, organization }: Card): string | null {
  if (kind === 'individual' || isHidden(name)) return null
  const text = organization ?? (kind === 'org' ? name : null)
  if (text === null || isNothing(text) || isHidden(text)) return null
  return kind === 'org' || isOrganization(text, name) ? text : null
}

/**
 * Detects organisations. People enter their own name as their organisation, in any order, and a surname can
 * be a word such as Bank.
 */
function isOrganization(text: string, name: string | null): boolean {
  const words = foldedWords(text)
  if (hasLegalForm(text, words)) return true
  const names = foldedWords(name ?? '')
  const isSame = words.every(word => names.includes(word)) && names.every(word => words.includes(word))
  return !isSame && words.some(word => organisationWords.has(word))
}

const shortFormCharactersMax = 2

/** Detects a legal form. Two letters before a name are not one, because they can be a person's initials. */
function hasLegalForm(text: string, words: readonly string[]): boolean {
  const { stem, form } = splitLegalForm(words)
  if (form !== null && !(surnames.has(form) && isWrittenAsName(text))) return true
  const [first = ''] = words
  const isBefore = stem.length > 1 && formWordsAt(words, 0) > 0 && first.length > shortFormCharactersMax
  return isBefore && !surnames.has(first)
}

/** Detects the name `Sá`, unlike the forms `SA`, `S.A.` and `Sociedad Anónima`. */
const isWrittenAsName = (text: string) => /(?<!\p{L})\p{Lu}\p{Ll}{1,2}$/u.test(text.normalize('NFC'))

/** Checks whether the answer lists the registrant as redacted (RFC 9537). */
function namesRedactedRegistrant(answer: Members): boolean {
  return rdapList(answer.redacted).some(each => {
    const { description, type } = membersOf(membersOf(each).name)
    const named = fold(`${rdapText(description) ?? ''} ${rdapText(type) ?? ''}`)
    return named.includes('registrant')
  })
}
