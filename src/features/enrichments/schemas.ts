import { type TInteger, Type } from 'typebox'
import { closedObject, instant, nullable, oneOf } from '../../core/schema.ts'
import { type ObservedSection, observedSectionNames, observedSections } from '../observed-sections.ts'

export const checkStates = ['queued', 'running', 'completed', 'failed'] as const

const sectionsOf = (hasKey: boolean) =>
  observedSectionNames.filter(section => (observedSections[section].key !== null) === hasKey)

/** The sections that checks find values for (§2.9, §4.12 rule 4). Sections with one value come last. */
export const foundSections: readonly ObservedSection[] = [...sectionsOf(true), ...sectionsOf(false)]

export type Found = Record<ObservedSection, number>

export const enrichmentPath = (enrichmentId: string) => `/v1/enrichments/${enrichmentId}`

const idCharactersMax = 64

export const enrichmentParams = closedObject({
  id: Type.String({
    minLength: 1,
    maxLength: idCharactersMax,
    description: 'The `enrichment_id` of one of your requests.',
  }),
})

const found = closedObject(
  Object.fromEntries(
    foundSections.map(section => [section, Type.Integer({ description: observedSections[section].counted })]),
  ) as Record<ObservedSection, TInteger>,
)

/** The reasons of the launch status that explain why a completed check found nothing. */
export const emptyReasons = ['name_does_not_exist', 'redirects_to_another_domain'] as const

export const enrichmentRecord = closedObject({
  enrichment_id: Type.String(),
  domain: Type.String({ description: 'The canonical registrable domain.' }),
  status: oneOf(checkStates),
  reason: nullable(Type.String(), {
    description:
      'Why it failed: `blocked`, `name_unresolved`, `timeout` (of the site or of the check), `tls`, ' +
      '`server_error`, `unreachable`, `redirect_loop`, `unreadable`, or `interrupted` (by the service). ' +
      'Why a completed one found no site of the domain: ' +
      '`name_does_not_exist`, `redirects_to_another_domain`. null: neither.',
  }),
  requested_at: instant(),
  completed_at: nullable(instant(), {
    description: 'Of the check, which may be older than the request. null: not completed.',
  }),
  credits_charged: Type.Integer({
    description: 'For the check; 0 before it is completed, and where this request did not start it.',
  }),
  found: nullable(found, {
    description: 'How many values the check found, by observation section. null: not completed.',
  }),
})
