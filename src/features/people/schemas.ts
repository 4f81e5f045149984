import { jobFunctions, roleKeys, seniorities } from '@baize/titles'
import { Type } from 'typebox'
import { closedObject, instant, namedObject, nullable, oneOf } from '../../core/schema.ts'

const text = Type.String()

export const contact = namedObject('Contact', {
  contact_ref: Type.String({ description: 'Opaque identifier of the contact.' }),
  role_key: nullable(oneOf(roleKeys, { named: 'RoleKey' }), {
    description: 'The matching glossary key; null if only free text matched, or if no key matches.',
  }),
  name: text,
  title: nullable(text, { description: 'The job title; null: unknown.' }),
  headline: nullable(text),
  seniority: nullable(oneOf(seniorities), {
    description: 'Read from the title; null: unrecognised title.',
  }),
  function: nullable(oneOf(jobFunctions), {
    description: 'Read from the title; null: unrecognised title.',
  }),
  email: nullable(text, { description: 'null: unknown; `linkedin_url` is then present.' }),
  email_status: nullable(oneOf(['verified', 'unverified']), {
    description:
      '`verified` if the contact was verified at `last_verified_at`; null without an e-mail address.',
  }),
  linkedin_url: nullable(text),
  country: nullable(text),
  source: Type.String({ description: 'The source of the data.' }),
  source_url: nullable(text),
  collected_at: instant(),
  last_verified_at: nullable(instant(), { description: 'null: not verified since it was collected.' }),
  fetched_at: nullable(instant(), {
    description: 'When the source of contacts last answered with the person; null: a file has it.',
  }),
  stale: Type.Boolean({
    description:
      'Whether it is older than `max_age_days`. Its age counts from `fetched_at`; of people from files, ' +
      'from `last_verified_at`, or else `collected_at`.',
  }),
})

export const roleCounts = closedObject(
  Object.fromEntries(roleKeys.map(key => [key, Type.Integer()])) as Record<
    (typeof roleKeys)[number],
    ReturnType<typeof Type.Integer>
  >,
  { description: 'Number of people per key. One person may match several keys.' },
)
