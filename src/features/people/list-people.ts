import { Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import type { Static } from '../../core/operation.ts'
import { closedObject } from '../../core/schema.ts'
import { dayMs } from '../../core/time.ts'
import type { World } from '../../database/open.ts'
import { charge, costOf } from '../../metering/pricing.ts'
import { billProfiles, profileBilling } from '../billing.ts'
import { type RefreshOutcome, refreshResult, showRefresh } from '../firmographics/index.ts'
import { type Context, defineOperation } from '../operation.ts'
import { pageLinks, pagingOutput } from '../paging.ts'
import { absenceReason, availability, availabilityAfter } from './availability.ts'
import { type EmployingCompany, findEmployer, readReachable, type StoredContact } from './contacts-store.ts'
import example from './list-people.example.json' with { type: 'json' }
import { ageDaysMax, limitDefault, type PeopleInput, params, query } from './people-input.ts'
import { nextPeople, noWalk, openWalk, sealWalk, type Walk } from './people-pages.ts'
import { areContactsDue, hasContactsSource, refreshContacts } from './refresh-contacts.ts'
import { contact, roleCounts } from './schemas.ts'
import {
  canonicalRole,
  countRoles,
  obtainedMs,
  roleTerms,
  type SelectedPerson,
  selectPeople,
} from './select-people.ts'

type Contact = Static<typeof contact>

const contactsRefresh = closedObject(refreshResult.properties, {
  description: 'Only if everybody on file is older than `max_age_days`, and there is a source or it is 0.',
})

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
includes its source and the time of its last verification. Pages by \`after\` deliver and charge each
person once, whatever is imported, erased or merged meanwhile.`,
  params,
  query,
  data: closedObject({
    company_ref: Type.String({ description: 'The Company, after following merges.' }),
    available: Type.Boolean({ description: 'Whether any people match.' }),
    reason: absenceReason,
    refresh: Type.Optional(contactsRefresh),
    contacts: Type.Optional(Type.Array(contact)),
    role_counts: Type.Optional(roleCounts),
    ...pagingOutput,
    billing: Type.Optional(
      profileBilling(
        '`contacts_delivered`, `no_results` or `simulated` (demo key). Each contact counts as a profile.',
      ),
    ),
  }),
  refreshes: true,
  prices: ['company.contact'],
  failures: [
    'not_found',
    'invalid_cursor',
    'cursor_filter_mismatch',
    'plan_upgrade_required',
    'max_credits_exceeded',
    'quota_exceeded',
    'idempotency_key_reused',
  ],
  demo: demoTemplates(),
  example,
  gate: input => (input.count_only ? null : { feature: 'people', requiredPlan: 'growth' }),
  canonical: input => (input.role === undefined ? input : { ...input, role: canonicalRole(input.role) }),

  async quote(context, input: PeopleInput) {
    const { world, now, observe } = context
    const employer = await findEmployer(world.database, input.company_ref)
    if (employer === undefined)
      throw new Failure('not_found', { message: 'There is no Company with this ref.' })
    const walk = await walkOf(world, employer, input)
    const contacts = await readReachable(world.database, employer.id)
    if (input.count_only) return quoteCounts(employer, contacts, input, now)
    const isDue = areContactsDue(context, contacts, input)
    const asked = { employer, walk, input, isDue }
    if (isDue && hasContactsSource(observe)) {
      // The source may know as many people as the limit allows.
      const ceiling = charge('company.contact', input.limit ?? limitDefault).credits_charged
      return {
        ceiling,
        deliver: async () => {
          const refresh = await refreshContacts(context, observe, employer, ceiling)
          const known = await readReachable(world.database, employer.id)
          return (await pageOf(context, { ...asked, contacts: known, refresh })).delivery(observe.now())
        },
      }
    }
    const page = await pageOf(context, { ...asked, contacts })
    return { ceiling: page.ceiling, deliver: async () => page.delivery() }
  },
})

/** Selects the people who match. With `allow_stale=false`, stale people are left out. */
function matching(contacts: readonly StoredContact[], input: PeopleInput, freshSince: number) {
  return selectPeople(contacts, input.role === undefined ? null : roleTerms(input.role)).filter(
    person => input.allow_stale !== false || !isStale(person, freshSince),
  )
}

const freshSinceOf = (input: PeopleInput, now: Date) =>
  now.getTime() - (input.max_age_days ?? ageDaysMax) * dayMs

function quoteCounts(
  { company_ref }: EmployingCompany,
  contacts: readonly StoredContact[],
  input: PeopleInput,
  now: Date,
) {
  const people = matching(contacts, input, freshSinceOf(input, now))
  const role_counts = countRoles(selectPeople(contacts, null))
  const data = {
    company_ref,
    ...availability(people.length, contacts.length),
    role_counts,
    ...pageLinks(null),
  }
  return { ceiling: 0, deliver: async () => ({ data, charges: [] }) }
}

type PageOfPeople = {
  employer: EmployingCompany
  walk: Walk
  input: PeopleInput
  contacts: readonly StoredContact[]
  isDue: boolean
  /** The outcome of a refresh; absent if no source was asked. */
  refresh?: RefreshOutcome
}

async function pageOf(
  { world, now }: Context,
  { employer, walk, input, contacts, isDue, refresh }: PageOfPeople,
) {
  const { company_ref } = employer
  const isRefreshed = refresh?.status === 'completed'
  // People fetched for this request, or for the first page, are fresh whatever the maximum age.
  const freshSince = Math.min(
    walk.freshSince ?? freshSinceOf(input, now),
    isRefreshed ? refresh.attemptedAt.getTime() - 1 : Number.POSITIVE_INFINITY,
  )
  const people = matching(contacts, input, freshSince)
  const shownRefresh = showRefresh(refresh, isDue && !isRefreshed)
  const hasOthers = input.allow_stale !== false && contacts.length > 0
  const found = availability(people.length, contacts.length)
  const page = nextPeople(people, walk, input.limit ?? limitDefault)
  const price = charge('company.contact', page.people.length)
  const isEmpty = page.people.length === 0
  const next =
    page.next === null
      ? null
      : sealWalk(
          filtersOf(input),
          { company_ref, walk: { ...page.next, freshSince } },
          await world.cursorSecret(),
        )
  const data = {
    company_ref,
    ...availabilityAfter(found, hasOthers ? null : shownRefresh.reason),
    ...(isDue ? { refresh: shownRefresh } : {}),
    contacts: page.people.map(person => asContact(person, freshSince)),
    ...pageLinks(next),
    billing: billProfiles([price], isEmpty ? 'no_results' : 'contacts_delivered', input.max_credits),
  }
  const delivery = (deliveredAt?: Date) => ({
    data,
    charges: isEmpty ? [] : [price],
    ...(deliveredAt === undefined ? {} : { deliveredAt }),
  })
  return { ceiling: price.credits_charged, delivery }
}

const filtersOf = ({ role, max_age_days, allow_stale }: PeopleInput) => ({ role, max_age_days, allow_stale })

/** Reads the cursor of this Company, or of one that was merged into it. */
async function walkOf(world: World, employer: EmployingCompany, input: PeopleInput): Promise<Walk> {
  if (input.after === undefined) return noWalk
  if (input.count_only)
    throw new Failure('invalid_parameter', {
      message: 'With "count_only", omit "after".',
      details: { parameter: 'after', takes: 'nothing with "count_only"' },
    })
  const { company_ref, walk } = openWalk(filtersOf(input), input.after, await world.cursorSecret())
  const walked =
    company_ref === employer.company_ref ? employer : await findEmployer(world.database, company_ref)
  if (walked?.id !== employer.id)
    throw new Failure('cursor_filter_mismatch', { details: { parameter: 'after' } })
  return walk
}

const isStale = (person: SelectedPerson, freshSince: number) => obtainedMs(person) <= freshSince

function asContact(person: SelectedPerson, freshSince: number): Contact {
  const { contact_ref, role_key, name, title, headline, reading, email, linkedin_url, country } = person
  const { source, source_url, collected_at, last_verified_at, fetched_at } = person
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
    fetched_at: fetched_at?.toISOString() ?? null,
    stale: isStale(person, freshSince),
  }
}

/** Returns the templates of the demo key, which lists people of Ottermoor Gaming in demo/ only. */
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

/** Counts the people of a Company by role. It is free, and no request of the API. */
export async function countPeopleOf(world: World, companyRef: string): Promise<Record<string, number>> {
  const employer = await findEmployer(world.database, companyRef)
  if (employer === undefined) return {}
  return countRoles(selectPeople(await readReachable(world.database, employer.id), null))
}
