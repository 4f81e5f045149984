import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { foldedWords } from '../../../core/fold-text.ts'
import { splitLegalForm } from '../../../core/legal-name.ts'
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
}
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

const hasLegalForm = (text: string) => splitLegalForm(foldedWords(text)).form !== null

function organizationOf({ kind, name, organization }: Card): string | null {
  if (kind === 'individual' || isHidden(name)) return null
  const text = organization ?? (kind === 'org' ? name : null)
  // People repeat their own name as their organisation.
  if (kind !== 'org' && text !== null && name !== null && fold(text) === fold(name) && !hasLegalForm(text))
    return null
  return text === null || isNothing(text) || isHidden(text) ? null : text
}

/** RFC 9537. */
function namesRedactedRegistrant(answer: Members): boolean {
  return listOf(answer.redacted).some(each => {
    const { description, type } = membersOf(membersOf(each).name)
    const named = fold(`${textOf(description) ?? ''} ${textOf(type) ?? ''}`)
    return named.includes('registrant')
  })
}
