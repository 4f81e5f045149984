import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { foldedWords } from '../../../core/fold-text.ts'
import { formWordsAt, splitLegalForm } from '../../../core/legal-name.ts'
import { type Card, cardOf, entityOf, listOf, type Members, membersOf, textOf } from './rdap-json.ts'

export type Registrant = {
  disclosure_status: 'public' | 'redacted' | 'unavailable'
  name: string | null
  organization: string | null
  country_code: string | null
}

const fold = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

const privacy = parse(
  readFileSync(new URL('../../rules/registrant-privacy.yaml', import.meta.url), 'utf8'),
) as {
  words: string[]
  services: string[]
  organisations: string[]
  surnames: string[]
}
const organisationWords = new Set(privacy.organisations.flatMap(foldedWords))
const surnames = new Set(privacy.surnames)
const privacyTexts = [...privacy.words, ...privacy.services].map(fold)

/** Dots, dashes and the like, which stand for no value. */
export const isNothing = (text: string): boolean => !/[\p{L}\p{N}]/u.test(text)

const isHidden = (text: string | null): boolean =>
  text !== null && privacyTexts.some(each => fold(text).includes(each))

const unknown = { name: null, organization: null, country_code: null }

/**
 * Only an organisation that the registry publishes is shown. The names of people are personal data: they are
 * redacted, whether the registry publishes them or not.
 */
export function readRegistrant(answers: readonly Members[]): Registrant {
  const cards = answers.map(answer => cardOf(entityOf(answer, 'registrant'))).filter(card => card !== null)
  // The registrar's answer has more than a thin registry's.
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

/** People enter their own name as their organisation, in any order. A surname can be a word such as Bank. */
function isOrganization(text: string, name: string | null): boolean {
  const words = foldedWords(text)
  if (hasLegalForm(text, words)) return true
  const names = foldedWords(name ?? '')
  const isSame = words.every(word => names.includes(word)) && names.every(word => words.includes(word))
  return !isSame && words.some(word => organisationWords.has(word))
}

const shortFormCharactersMax = 2

/** Before a name, two letters can be the initials of a person. */
function hasLegalForm(text: string, words: readonly string[]): boolean {
  const { stem, form } = splitLegalForm(words)
  if (form !== null && !(surnames.has(form) && isWrittenAsName(text))) return true
  const [first = ''] = words
  const isBefore = stem.length > 1 && formWordsAt(words, 0) > 0 && first.length > shortFormCharactersMax
  return isBefore && !surnames.has(first)
}

/** `Sá`, unlike `SA`, `S.A.` and `Sociedad Anónima`. */
const isWrittenAsName = (text: string) => /(?<!\p{L})\p{Lu}\p{Ll}{1,2}$/u.test(text.normalize('NFC'))

/** RFC 9537. */
function namesRedactedRegistrant(answer: Members): boolean {
  return listOf(answer.redacted).some(each => {
    const { description, type } = membersOf(membersOf(each).name)
    const named = fold(`${textOf(description) ?? ''} ${textOf(type) ?? ''}`)
    return named.includes('registrant')
  })
}
