import { Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import type { Static } from '../../core/operation.ts'
import { closed } from '../../core/schema.ts'
import { charge, costOf } from '../../metering/pricing.ts'
import { maxCredits } from '../inputs.ts'
import { defineOperation } from '../operation.ts'
import { billProfiles, profileBilling } from '../profile-billing.ts'
import { absenceReason, availability } from './availability.ts'
import { findEmployer, readReachable } from './contacts-store.ts'
import example from './list-people.example.json' with { type: 'json' }
import { contact, roleCounts } from './schemas.ts'
import { canonicalRole, countRoles, roleTerms, type SelectedPerson, selectPeople } from './select-people.ts'

const limitMax = 25
const limitDefault = 10
const ageDaysMax = 365
const refCharactersMax = 64
const roleCharactersMax = 200
const dayMs = 24 * 60 * 60_000

const params = Type.Object(
  {
    company_ref: Type.String({
      minLength: 1,
      maxLength: refCharactersMax,
      description: 'A Company; the ref of a merged one answers for the Company that it was merged into.',
    }),
  },
  closed,
)

const query = Type.Object(
  {
    role: Type.Optional(
      Type.String({
        minLength: 2,
        maxLength: roleCharactersMax,
        description:
          'Keys of the role glossary (`GET /v1/people/roles`), or any words of a title; several with `OR` or a comma between them. Absent: everybody.',
        examples: ['ceo', 'compliance,payments', 'head of casino OR product_leads'],
      }),
    ),
    count_only: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Only tells how many people answer to each key of the glossary; free.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limitMax,
        default: limitDefault,
        description: 'The most contacts to deliver, and to pay for.',
      }),
    ),
    max_age_days: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: ageDaysMax,
        default: ageDaysMax,
        description:
          'Contacts older than this are fetched anew where a source of contacts is configured, and otherwise served as `stale`; 0: always.',
      }),
    ),
    max_credits: Type.Optional(maxCredits),
  },
  closed,
)

type Input = Static<typeof params> & Static<typeof query>
type Contact = Static<typeof contact>

export const listPeople = defineOperation({
  name: 'list_people',
  method: 'GET',
  path: '/v1/companies/{company_ref}/people',
  tag: 'Companies',
  section: '§4.7',
  summary: 'Decision-makers of a Company',
  description: `People of a Company who can be reached by e-mail or profile, the most senior first. Costs ${costOf('company.contact')} a contact delivered
and needs the plan \`growth\`; \`count_only\` is free on every plan. The job title decides the role; the headline is read only for
people without a title. Each contact says where it comes from and when it was last verified.`,
  params,
  query,
  data: Type.Object(
    {
      company_ref: Type.String({ description: 'The Company that answers.' }),
      available: Type.Boolean({ description: 'Whether there is anybody to deliver.' }),
      reason: absenceReason,
      contacts: Type.Optional(Type.Array(contact)),
      role_counts: Type.Optional(roleCounts),
      billing: Type.Optional(
        profileBilling(
          '`contacts_delivered`, `no_results` or `simulated` (demo key). A contact is a profile here.',
        ),
      ),
    },
    closed,
  ),
  prices: ['company.contact'],
  failures: [
    'not_found',
    'plan_upgrade_required',
    'max_credits_exceeded',
    'quota_exceeded',
    'idempotency_key_reused',
  ],
  demo: demoTemplates(),
  example,
  gate: input => (input.count_only ? null : { feature: 'people', requiredPlan: 'growth' }),
  canonical: input => (input.role === undefined ? input : { ...input, role: canonicalRole(input.role) }),

  async quote({ world, now }, input: Input) {
    const employer = await findEmployer(world.database, input.company_ref)
    if (employer === undefined)
      throw new Failure('not_found', { message: 'There is no Company of that ref.' })
    const held = await readReachable(world.database, employer.id)
    const people = selectPeople(held, input.role === undefined ? null : roleTerms(input.role))
    const found = { company_ref: employer.company_ref, ...availability(people.length, held.length) }
    if (input.count_only)
      return {
        ceiling: 0,
        deliver: async () => ({ data: { ...found, role_counts: countRoles(people) }, charges: [] }),
      }

    // A source of contacts would be asked in `deliver`, for what is missing or too old, up to the limit: the ceiling would
    // then be the whole limit. None is configured, and what is on file is all there is.
    const delivered = people.slice(0, input.limit ?? limitDefault)
    const price = charge('company.contact', delivered.length)
    const freshSince = now.getTime() - (input.max_age_days ?? ageDaysMax) * dayMs
    return {
      ceiling: price.credits_charged,
      deliver: async () => ({
        charges: delivered.length === 0 ? [] : [price],
        data: {
          ...found,
          contacts: delivered.map(person => asContact(person, freshSince)),
          billing: billProfiles(
            [price],
            delivered.length === 0 ? 'no_results' : 'contacts_delivered',
            input.max_credits,
          ),
        },
      }),
    }
  },
})

function asContact(person: SelectedPerson, freshSince: number): Contact {
  const { contact_ref, role_key, name, title, headline, reading, email, linkedin_url, country } = person
  const { source, source_url, collected_at, last_verified_at } = person
  return {
    contact_ref,
    role_key,
    name,
    title,
    headline,
    seniority: reading.seniority,
    function: reading.function,
    email,
    email_status: email === null ? null : last_verified_at === null ? 'unverified' : 'verified',
    linkedin_url,
    country,
    source,
    source_url,
    collected_at: collected_at.toISOString(),
    last_verified_at: last_verified_at?.toISOString() ?? null,
    stale: (last_verified_at ?? collected_at).getTime() <= freshSince,
  }
}

/** The demo key sees the people of one Company only: Ottermoor Gaming of demo/. */
function demoTemplates() {
  const demoRef = { company_ref: 'co_d01f236ab1748d78740a' }
  return [
    { title: 'The three most senior', params: demoRef, query: { limit: '3' } },
    { title: 'Who is on file, by role', params: demoRef, query: { count_only: 'true' } },
    { title: 'Compliance or payments', params: demoRef, query: { role: 'compliance,payments' } },
    { title: 'By words of the title', params: demoRef, query: { role: 'casino OR retention' } },
    { title: 'Nobody of that role', params: demoRef, query: { role: 'chief astrologer' } },
  ]
}
