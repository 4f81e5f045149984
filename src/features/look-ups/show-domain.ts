import { type Static, Type } from 'typebox'
import { closedObject } from '../../core/schema.ts'
import { Moved } from '../../core/session-operation.ts'
import { prices } from '../../metering/pricing.ts'
import type { Coverage } from '../coverage/index.ts'
import { observationSections, resolveDomain } from '../domains/index.ts'
import { canonicalDomain, domainInput } from '../inputs.ts'
import { readShown } from '../logos/index.ts'
import { newNonce, paidFields, sendView } from '../send-request.ts'
import { type AnswerOf, defineSessionOperation, type SessionContext } from '../session-operation.ts'
import { readTimeline } from '../timelines/index.ts'
import { readVerdictSteps } from '../verdict-changes/index.ts'
import { type Bought, boughtOf, buy, lookUpRoles } from './buy.ts'

const params = closedObject({ domain: domainInput('A URL or host.') })
const path = '/dashboard/domains/{domain}'

/** The sections that cost nothing beside a verdict. */
const freeSections = observationSections.filter(each => each !== 'operator_launch_profile')

type Resolved = Static<typeof resolveDomain.data>

/** A verdict with a launch profile, which a later verdict without one does not replace. */
const withLaunchProfile = (domain: string) => `${domain} launch_profile`

/** Returns what the account bought of these sites: the newest verdict of each. */
export async function boughtSites(context: SessionContext, domains: readonly string[]) {
  const subjects = domains.flatMap(each => [each, withLaunchProfile(each)])
  const found = await boughtOf<Resolved>(context, resolveDomain.name, subjects)
  const newestLast = found.toReversed().map(({ response }): [string, SeenSite] => {
    const { domain, verdict, observations } = response
    return [domain, { domain, verdict, platforms: observations?.platform_history ?? [] }]
  })
  return [...new Map(newestLast).values()]
}

export type SeenSite = Pick<Resolved, 'domain' | 'verdict'> & {
  platforms: NonNullable<NonNullable<Resolved['observations']>['platform_history']>
}

export const showDomain = defineSessionOperation({
  name: 'show_domain',
  method: 'GET',
  path,
  access: lookUpRoles,
  summary: 'A site: its verdict, if the account bought it, else the price',
  params,
  failures: ['invalid_domain'],
  async answer(context, { domain: sent }) {
    const domain = canonicalDomain(sent)
    if (domain !== sent) return new Moved(`/dashboard/domains/${encodeURIComponent(domain)}`)
    const subjects = [domain, withLaunchProfile(domain)]
    const [[bought = null, older = null], { portfolios }] = await Promise.all([
      boughtOf<Resolved>(context, resolveDomain.name, subjects),
      sendView(context, { operation: 'list_portfolios' }) as Promise<{ portfolios: { name: string }[] }>,
    ])
    return {
      domain,
      prices: {
        verdict: prices['domain.verdict'].credits,
        launch_profile: prices['domain.operator_launch_profile'].credits,
        check: prices['domain.refresh'].credits,
      },
      bought,
      older: older?.subject === withLaunchProfile(domain) ? older : null,
      ...(bought === null
        ? { sources: [], timeline: [], steps: [], related: [], images: [] }
        : await evidenceOf(context, bought)),
      portfolios: portfolios.map(({ name }) => name),
      nonce: newNonce(),
    }
  },
})

export type DomainShown = Exclude<AnswerOf<typeof showDomain>, Moved>
export type VerdictSource = DomainShown['sources'][number]
export type VerdictPeriod = DomainShown['timeline'][number]

export const buyVerdict = defineSessionOperation({
  name: 'buy_verdict',
  method: 'POST',
  path,
  access: lookUpRoles,
  summary: 'Buy the verdict of a site, with stored evidence',
  params,
  form: closedObject({ launch_profile: Type.Optional(Type.Boolean()), ...paidFields }),
  failures: resolveDomain.failures,
  async answer(context, { domain, launch_profile: withProfile = false, ...paid }) {
    const query = {
      domain,
      checked_streams: 'true',
      receipt: 'true',
      'include[]': [...(withProfile ? observationSections : freeSections)],
    }
    const subject = ({ domain: of }: { domain?: string }) =>
      of !== undefined && withProfile ? withLaunchProfile(of) : (of ?? null)
    return (await buy(context, { operation: resolveDomain.name, query, subject }, paid)) as Resolved
  },
})

async function evidenceOf(context: SessionContext, { response }: Bought<Resolved>) {
  const { replica } = context.world
  const related = response.observations?.related_domains ?? []
  const files = response.observations?.logos?.map(({ url }) => url.slice(url.lastIndexOf('/') + 1)) ?? []
  const [sources, timeline, steps, images, seen] = await Promise.all([
    sourcesOf(context, response),
    readTimeline(replica, response.domain),
    readVerdictSteps(replica, response.domain),
    // An image of a bought answer may have been withdrawn.
    readShown(replica, files),
    boughtSites(
      context,
      related.map(each => each.related_domain_normalized),
    ),
  ])
  const verdicts = seen.map(({ domain, verdict }) => ({ domain, verdict }))
  return { sources, timeline, steps, related: verdicts, images }
}

/** Returns the streams behind the verdict, each with the address where it is published. */
async function sourcesOf(context: SessionContext, { checked }: Resolved) {
  const { streams = [] } = checked
  if (streams.length === 0) return []
  const { markets } = (await sendView(context, { operation: 'get_coverage' })) as Coverage
  const published = markets.flatMap(each => each.streams)
  return streams.map(({ truth_state: _, ...each }) => ({
    ...each,
    official_url: published.find(known => known.stream === each.stream)?.official_url ?? null,
  }))
}
