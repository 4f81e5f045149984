import { Type } from 'typebox'
import { closed, instant, nullable, oneOf } from '../../core/schema.ts'
import { functionWords, generalManagement, type JobFunction } from './function-words.ts'
import { roleKeys } from './role-glossary.ts'
import { seniorities } from './seniority-words.ts'

export const jobFunctions = [generalManagement, ...Object.keys(functionWords)] as JobFunction[]

const text = Type.String()

export const contact = Type.Object(
  {
    contact_ref: Type.String({ description: 'Opaque handle of the contact.' }),
    role_key: nullable(oneOf(roleKeys, { named: 'RoleKey' }), {
      description:
        'The glossary key that the person answers to; null for a match of free text, or where no key fits.',
    }),
    name: text,
    title: nullable(text, { description: 'The job title; null: none is known.' }),
    headline: nullable(text),
    seniority: nullable(oneOf(seniorities), {
      description: 'Read from the title; null where no word of it tells.',
    }),
    function: nullable(oneOf(jobFunctions), { description: 'Likewise.' }),
    email: nullable(text, { description: 'null: none is known; then there is a profile.' }),
    email_status: nullable(oneOf(['verified', 'unverified']), {
      description:
        '`verified` when the contact was verified at `last_verified_at`; null without an e-mail address.',
    }),
    linkedin_url: nullable(text),
    country: nullable(text),
    source: Type.String({ description: 'Where the data of the person come from.' }),
    source_url: nullable(text),
    collected_at: instant(),
    last_verified_at: nullable(instant(), { description: 'null: not verified since it was collected.' }),
    stale: Type.Boolean({
      description: 'Whether it was last verified, or else collected, more than `max_age_days` ago.',
    }),
  },
  { ...closed, named: 'Contact' },
)

export const roleCounts = Type.Object(
  Object.fromEntries(roleKeys.map(key => [key, Type.Integer()])) as Record<
    (typeof roleKeys)[number],
    ReturnType<typeof Type.Integer>
  >,
  { ...closed, description: 'How many people answer to each key; one may answer to several.' },
)
