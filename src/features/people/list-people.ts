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
      description: 'The Company. The ref of a merged Company returns the Company that it was merged into.',
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
          'Keys of the role glossary (`GET /v1/people/roles`) or words of a title, separated by `OR` or ' +
          'commas. Default: everyone.',
        examples: ['ceo', 'compliance,payments', 'head of casino OR product_leads'],
      }),
    ),
    count_only: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Return only the number of people per glossary key, of every key with any `role`. Free.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limitMax,
        default: limitDefault,
        description: 'Maximum number of contacts to return and to charge.',
      }),
    ),
    max_age_days: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: ageDaysMax,
        default: ageDaysMax,
        description:
          'Older contacts are refreshed if a source of contacts is configured, and returned as `stale` ' +
          'otherwise. 0: always.',
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
  description: `People of a Company with an e-mail address or profile, the most senior first. Costs
${costOf('company.contact')} per returned contact and requires the plan \`growth\`. \`count_only\` is free on
every plan. Roles are read from the job title, or from the headline of people without a title. Each contact
includes its source and the time of its last verification.`,
  params,
  query,
  data: Type.Object(
    {
      company_ref: Type.String({ description: 'The Company, after following merges.' }),
      available: Type.Boolean({ description: 'Whether any people match.' }),
      reason: absenceReason,
      contacts: Type.Optional(Type.Array(contact)),
      role_counts: Type.Optional(roleCounts),
      billing: Type.Optional(
        profileBilling(
          '`contacts_delivered`, `no_results` or `simulated` (demo key). Each contact counts as a profile.',
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
      throw new Failure('not_found', { message: 'There is no Company with this ref.' })
    const contacts = await readReachable(world.database, employer.id)
    const people = selectPeople(contacts, input.role === undefined ? null : roleTerms(input.role))
    const summary = { company_ref: employer.company_ref, ...availability(people.length, contacts.length) }
    if (input.count_only)
      return {
        ceiling: 0,
        deliver: async () => ({
          data: { ...summary, role_counts: countRoles(selectPeople(contacts, null)) },
          charges: [],
        }),
      }

    // Without a source of contacts at most the stored people can be delivered.
    const delivered = people.slice(0, input.limit ?? limitDefault)
    const price = charge('company.contact', delivered.length)
    const freshSince = now.getTime() - (input.max_age_days ?? ageDaysMax) * dayMs
    return {
      ceiling: price.credits_charged,
      deliver: async () => ({
        charges: delivered.length === 0 ? [] : [price],
        data: {
          ...summary,
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

/** The demo key is limited to one Company: Ottermoor Gaming of demo/. */
function demoTemplates() {
  const demoRef = { company_ref: 'co_d01f236ab1748d78740a' }
  return [
    { title: 'The three most senior', params: demoRef, query: { limit: '3' } },
    { title: 'Number of people by role', params: demoRef, query: { count_only: 'true' } },
    { title: 'Compliance or payments', params: demoRef, query: { role: 'compliance,payments' } },
    { title: 'By words of the title', params: demoRef, query: { role: 'casino OR retention' } },
    { title: 'No match', params: demoRef, query: { role: 'chief astrologer' } },
  ]
}
