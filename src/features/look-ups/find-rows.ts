/** The pages of the three searches: a free preview, and the rows that the account bought at this address. */
import { type Static, type TProperties, Type } from 'typebox'
import type { FailureCode } from '../../core/failure.ts'
import { closedObject } from '../../core/schema.ts'
import { type CompanyHit, previewCompanies, searchCompanies } from '../companies/index.ts'
import { countDomains, searchDomains } from '../domains/index.ts'
import { type LicenseHit, previewLicenses, searchLicenses } from '../licenses/index.ts'
import { readSavedPages } from '../saved-pages/index.ts'
import { newNonce, paidFields, sendView } from '../send-request.ts'
import {
  type AnswerOf,
  accountOf,
  defineSessionOperation,
  type SessionContext,
} from '../session-operation.ts'
import { boughtOf, buy, digestOf, lookUpRoles } from './buy.ts'
import type { CompanyPreview, LicensePreview } from './show-market.ts'

/** Each row costs a credit, so the rows of a page are its price. */
const pageRows = 20

type Filters = Record<string, string>
type Given = Record<string, unknown>

const textsOf = (given: Given): Filters =>
  Object.fromEntries(
    Object.entries(given)
      .filter(([name, value]) => value !== undefined && value !== '' && !(name === 'page' && value === 1))
      .map(([name, value]) => [name, String(value)]),
  )

const subjectOf = (filters: Filters) => digestOf(Object.entries({ page: '1', ...filters }).toSorted())

/** Leaves out what the pages decide themselves. */
function fieldsOf<Fields extends TProperties>(fields: Fields) {
  const { page_size: _size, per_page: _perPage, after: _after, max_credits: _credits, ...filters } = fields
  return filters as Omit<Fields, 'page_size' | 'per_page' | 'after' | 'max_credits'>
}

type Kind<Preview, Response> = {
  noun: 'companies' | 'licenses' | 'domains'
  fields: TProperties
  search: { name: string; failures: readonly FailureCode[] }
  size: 'page_size' | 'per_page'
  /** Returns the number of all rows that match, if that is free, and what else is. */
  preview(context: SessionContext, filters: Filters): Promise<{ total: number | null; preview: Preview }>
  /** Is never set: it gives the type of what is bought. */
  response?: Response
}

function defineFinder<Preview, Response>({ noun, fields, search, size, preview }: Kind<Preview, Response>) {
  const path = `/dashboard/${noun}` as const
  const find = defineSessionOperation({
    name: `find_${noun}`,
    method: 'GET',
    path,
    access: lookUpRoles,
    summary: `Search of ${noun}: a free preview, and rows that the account bought`,
    query: closedObject(fields),
    failures: search.failures,
    async answer(context, given: Given) {
      const filters = textsOf(given)
      const { page = '1', ...others } = filters
      const { accountId } = accountOf(context)
      const [{ total, preview: free }, [bought = null], saved] = await Promise.all([
        preview(context, others),
        boughtOf<Response>(context, search.name, [subjectOf(filters)]),
        readSavedPages(context.world.database, accountId, path),
      ])
      const before = (Number(page) - 1) * pageRows
      return {
        filters: others,
        page: Number(page),
        page_rows: pageRows,
        total,
        /** At most, if the number of rows is not known. */
        price: total === null ? pageRows : Math.max(0, Math.min(pageRows, total - before)),
        preview: free,
        bought,
        saved,
        nonce: newNonce(),
      }
    },
  })
  const buyRows = defineSessionOperation({
    name: `buy_${noun}`,
    method: 'POST',
    path,
    access: lookUpRoles,
    summary: `Buy a page of a search of ${noun}`,
    form: closedObject({ ...fields, ...paidFields }),
    failures: search.failures,
    async answer(context, { max_credits, nonce, ...given }: { max_credits: number; nonce: string } & Given) {
      const filters = textsOf(given)
      const query = { ...filters, [size]: String(pageRows) }
      const subject = () => subjectOf(filters)
      await buy(context, { operation: search.name, query, subject }, { max_credits, nonce })
      return { filters }
    },
  })
  return { find, buyRows }
}

type Hits<Hit> = { hits: Hit[]; total: number; has_more: boolean }

const soldFilters = ['payment_method', 'supplier_brand', 'platform']

const companies = defineFinder<CompanyPreview | null, Hits<CompanyHit>>({
  noun: 'companies',
  fields: fieldsOf(searchCompanies.query.properties),
  search: searchCompanies,
  size: 'page_size',
  async preview(context, query) {
    if (soldFilters.some(name => name in query)) return { total: null, preview: null }
    const found = (await sendView(context, { operation: previewCompanies.name, query })) as CompanyPreview
    return { total: found.total_count, preview: found }
  },
})

const licenses = defineFinder<LicensePreview, Hits<LicenseHit>>({
  noun: 'licenses',
  fields: fieldsOf(searchLicenses.query.properties),
  search: searchLicenses,
  size: 'page_size',
  async preview(context, query) {
    const found = (await sendView(context, { operation: previewLicenses.name, query })) as LicensePreview
    return { total: found.total_count, preview: found }
  },
})

const { verdict, ...domainFilters } = fieldsOf(searchDomains.query.properties)

const domains = defineFinder<Awaited<ReturnType<typeof countDomains>>, Static<typeof searchDomains.data>>({
  noun: 'domains',
  fields: { verdict: Type.Optional(verdict), ...domainFilters },
  search: searchDomains,
  size: 'per_page',
  async preview({ world }, { verdict: wanted, geo = '', ...others }) {
    const counts = await countDomains(world)
    const counted = counts.find(each => each.verdict === wanted && each.geo === geo)?.domains ?? 0
    const isCounted = Object.keys(others).length === 0 && wanted !== undefined
    return { total: isCounted ? counted : null, preview: counts }
  },
})

export type CompaniesFound = AnswerOf<typeof companies.find>
export type LicensesFound = AnswerOf<typeof licenses.find>
export type DomainsFound = AnswerOf<typeof domains.find>

export const findOperations = [companies, licenses, domains].flatMap(each => [each.find, each.buyRows])
