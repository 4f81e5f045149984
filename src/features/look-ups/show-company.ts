import { type Static, Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { closedObject, oneOf } from '../../core/schema.ts'
import { Moved } from '../../core/session-operation.ts'
import { charge, prices } from '../../metering/pricing.ts'
import { findCompanyCard, resolveCompany, showCompany } from '../companies/index.ts'
import { resolveLicense } from '../licenses/index.ts'
import { countPeopleOf, listPeople } from '../people/index.ts'
import { readSavedPages } from '../saved-pages/index.ts'
import { newNonce, paidFields } from '../send-request.ts'
import {
  type AnswerOf,
  accountOf,
  defineSessionOperation,
  type SessionContext,
} from '../session-operation.ts'
import { boughtOf, buy, lookUpRoles } from './buy.ts'
import { boughtSites, type SeenSite } from './show-domain.ts'
import { type BoughtSignal, boughtSignals } from './show-feeds.ts'

const refText = Type.String({ minLength: 1, maxLength: 64 })
const params = closedObject({ company_ref: refText })
const path = '/dashboard/companies/{company_ref}'

type Resolved = Static<typeof resolveCompany.data>
export type CompanyProfile = Resolved['companies'][number]
type People = Static<typeof listPeople.data>

const firstRef = (data: { companies?: { company_ref: string }[] }) => data.companies?.[0]?.company_ref ?? null
/** A profile with firmographics, which a later profile without them does not replace. */
const withFirmographics = (ref: string) => `${ref} firmographics`
/** The most people that one button buys. */
const peopleAtOnceMax = 10

export const showCompanyPage = defineSessionOperation({
  name: 'show_company',
  method: 'GET',
  path,
  access: lookUpRoles,
  summary: 'A Company: its profile, if the account bought it, else the price',
  params,
  failures: ['route_not_found'],
  async answer(context, { company_ref: ref }) {
    const card = await findCompanyCard(context.world, ref)
    if (card === undefined) throw new Failure('route_not_found')
    if (card.merged_into !== null) return new Moved(`/dashboard/companies/${card.merged_into}`)
    const { accountId } = accountOf(context)
    const [answers, people, [followed]] = await Promise.all([
      boughtOf<Resolved>(context, resolveCompany.name, [ref, withFirmographics(ref)]),
      peopleOf(context, ref),
      readSavedPages(context.world.database, accountId, `/dashboard/companies/${ref}`),
    ])
    const [bought = null, older = null] = answers.map(each => ({
      ...each,
      response: each.response.companies.find(company => company.company_ref === ref) ?? null,
    }))
    const profile = bought?.response ?? null
    return {
      company_ref: ref,
      sample: card.sample,
      bought,
      older: older?.subject === withFirmographics(ref) ? older : null,
      people,
      ...(profile === null ? nothing : await detailsOf(context, profile)),
      followed,
      prices: {
        profile: prices['company.profile'].credits,
        firmographics: charge('company.firmographics', card.sample.domain_count).credits_charged,
      },
      nonce: newNonce(),
    }
  },
})

export type CompanyShown = Exclude<AnswerOf<typeof showCompanyPage>, Moved>

/** Returns how many people of each role are stored, which is free, and those that the account bought. */
async function peopleOf(context: SessionContext, ref: string) {
  const counts = await countPeopleOf(context.world, ref)
  const roles = Object.entries(counts).filter(([, people]) => people > 0)
  const subjects = roles.map(([role]) => `${ref} ${role}`)
  const bought = await boughtOf<People>(context, listPeople.name, subjects)
  const contacts = bought.flatMap(({ response }) => response.contacts ?? [])
  const contactsByRef = new Map(contacts.map(each => [each.contact_ref, each]))
  return {
    roles: roles.map(([role, people]) => {
      const atOnce = Math.min(people, peopleAtOnceMax)
      return { role, people, at_once: atOnce, credits: charge('company.contact', atOnce).credits_charged }
    }),
    contacts: [...contactsByRef.values()],
  }
}

type Details = {
  /** The sites whose verdict the account bought. */
  sites: SeenSite[]
  /** The days of licenses whose profile the account bought. */
  license_days: { license_ref: string; issued_at: string | null; expires_at: string | null }[]
  /** The Signals about it that the account bought. */
  signals: BoughtSignal[]
  /** Why holders of registers are one Company. Their keys are for staff. */
  links: Pick<
    Awaited<ReturnType<typeof showCompany>>['links'][number],
    'evidence' | 'value' | 'stream' | 'with_stream' | 'linked_at' | 'lost_at'
  >[]
}

const nothing: Details = { sites: [], license_days: [], signals: [], links: [] }

async function detailsOf(context: SessionContext, profile: CompanyProfile): Promise<Details> {
  const { company_ref: ref, domains, licenses } = profile
  const [sites, bought, signals, { links }] = await Promise.all([
    boughtSites(
      context,
      domains.map(each => each.domain),
    ),
    boughtOf<Static<typeof resolveLicense.data>>(
      context,
      resolveLicense.name,
      licenses.map(each => each.license_ref),
    ),
    boughtSignals(context),
    showCompany(context.world, ref),
  ])
  return {
    sites,
    license_days: bought
      .flatMap(({ response }) => response.licenses)
      .map(({ license_ref, issued_at, expires_at }) => ({ license_ref, issued_at, expires_at })),
    signals: signals.filter(({ subject }) => subject.company_ref === ref),
    links: links.map(({ identity_key: _, with_key: __, ...link }) => link),
  }
}

export const buyCompany = defineSessionOperation({
  name: 'buy_company',
  method: 'POST',
  path,
  access: lookUpRoles,
  summary: 'Buy the profile of a Company',
  params,
  form: closedObject({ firmographics: Type.Optional(Type.Boolean()), ...paidFields }),
  failures: resolveCompany.failures,
  async answer(context, { company_ref: ref, firmographics = false, ...paid }) {
    const query = { company_ref: ref, ...(firmographics ? { 'include[]': ['firmographics'] } : {}) }
    const subject = (data: Parameters<typeof firstRef>[0]) => {
      const found = firstRef(data)
      return firmographics && found !== null ? withFirmographics(found) : found
    }
    return (await buy(context, { operation: resolveCompany.name, query, subject }, paid)) as Resolved
  },
})

export const buyPeople = defineSessionOperation({
  name: 'buy_people',
  method: 'POST',
  path: `${path}/people`,
  access: lookUpRoles,
  summary: 'Buy people of a Company',
  params,
  form: closedObject({ role: Type.String({ minLength: 1, maxLength: 200 }), ...paidFields }),
  failures: listPeople.failures,
  async answer(context, { company_ref: ref, role, ...paid }) {
    const { credits } = prices['company.contact']
    const affordable = Math.max(1, Math.floor(paid.max_credits / credits))
    const query = { limit: String(Math.min(affordable, peopleAtOnceMax)), role }
    const subject = () => `${ref} ${role}`
    await buy(context, { operation: listPeople.name, params: { company_ref: ref }, query, subject }, paid)
    return { company_ref: ref }
  },
})

const identifiers = ['name', 'domain', 'legal_entity', 'license_number'] as const

/** Buys a profile by a name, whose ref is known only then. Several Companies of one name are free to see. */
export const lookUpCompany = defineSessionOperation({
  name: 'look_up_company',
  method: 'POST',
  path: '/dashboard/look-ups/company',
  access: lookUpRoles,
  summary: 'Buy the profile of the Company of a name, domain or license number',
  form: closedObject({
    identifier: oneOf(identifiers),
    q: Type.String({ minLength: 1, maxLength: 500 }),
    ...paidFields,
  }),
  failures: resolveCompany.failures,
  async answer(context, { identifier, q, ...paid }) {
    const purchase = { operation: resolveCompany.name, query: { [identifier]: q }, subject: firstRef }
    const found = (await buy(context, purchase, paid)) as Resolved
    return { company_ref: firstRef(found), q }
  },
})
