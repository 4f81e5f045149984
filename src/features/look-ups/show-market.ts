import { Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { closedObject } from '../../core/schema.ts'
import { type CompanySample, previewCompanies } from '../companies/index.ts'
import { type Coverage, readMarketCounts } from '../coverage/index.ts'
import { countDomains } from '../domains/index.ts'
import { type LicenseSample, previewLicenses } from '../licenses/index.ts'
import { sendView } from '../send-request.ts'
import { type AnswerOf, defineSessionOperation, type SessionContext } from '../session-operation.ts'
import { readSignalDays } from '../signals/index.ts'
import { lookUpRoles } from './buy.ts'

/** The members of a free preview that pages show. */
type Preview<Sample> = {
  total_count: number
  facet_counts: { field: string; values: { value: string; count: number }[] }[]
  sample: Sample[]
}
export type CompanyPreview = Preview<CompanySample> & { identity_match: { type: string } | null }
export type LicensePreview = Preview<LicenseSample>

/** The newest days with changes that the page shows. */
const newestDays = 10

export const showMarket = defineSessionOperation({
  name: 'show_market',
  method: 'GET',
  path: '/dashboard/markets/{code}',
  access: lookUpRoles,
  summary: 'A market: its regime, its sources and what is stored, free',
  params: closedObject({ code: Type.String({ maxLength: 64 }) }),
  failures: ['route_not_found', ...previewCompanies.failures],
  async answer(context, { code }) {
    const { markets } = (await sendView(context, { operation: 'get_coverage' })) as Coverage
    const market = markets.find(each => each.market === code)
    if (market === undefined) throw new Failure('route_not_found')
    const { replica } = context.world
    const [companies, licenses, domains, counts, days] = await Promise.all([
      previewOf(context, previewCompanies.name, code) as Promise<CompanyPreview>,
      previewOf(context, previewLicenses.name, code) as Promise<LicensePreview>,
      countDomains(context.world),
      readMarketCounts(replica, code),
      readSignalDays(context.world, { feed: 'register_changes', market: code, daysMax: newestDays }),
    ])
    const ofMarket = domains.filter(({ geo }) => geo === code)
    return { market, companies, licenses, domains: ofMarket, counts, days }
  },
})

export type MarketShown = AnswerOf<typeof showMarket>

const previewOf = (context: SessionContext, operation: string, jurisdiction: string) =>
  sendView(context, { operation, query: { jurisdiction } })
