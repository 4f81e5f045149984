import { Type } from 'typebox'
import type { Static } from '../../../core/operation.ts'
import { namedObject, nullable, oneOf } from '../../../core/schema.ts'
import type { World } from '../../../database/open.ts'
import {
  type FoundPage,
  findPage,
  type IdentifiedCompany,
  identify,
  isInResult,
  isWholeName,
  limitedCount,
  type PageRequest,
  type SearchFilters,
  type SearchQuery,
  type SearchResult,
  sampleCountMax,
  sampleRowsMax,
  searchRows,
} from '../../search/index.ts'
import { canonicalCompanyFilters, companyQuery, paidFilters } from './company-filters.ts'
import { companySampleOf } from './company-hit.ts'
import { refusePlatformBrand } from './platform-brands.ts'

type FoundCompanyPage = FoundPage & {
  identity: IdentifiedCompany | null
  /** Is true if the identified Company is in the result; null without a text. */
  isAnswered: boolean | null
}

export function findCompanyPage(
  world: World,
  filters: SearchFilters,
  page: PageRequest,
): Promise<FoundCompanyPage> {
  const query = companyQuery(filters)
  return findPage(world, query, page, async result => {
    const identity = await identify(world, query, result.version)
    const isAnswered = query.text === undefined ? null : await isFound(world, query, result, identity)
    return { identity, isAnswered }
  })
}

async function isFound(
  world: World,
  query: SearchQuery,
  { total, rows, version }: SearchResult,
  identity: IdentifiedCompany | null,
): Promise<boolean> {
  if (identity === null || total === 0) return false
  const { companyId } = identity
  return rows.some(row => row.id === companyId) || isInResult(world, query, companyId, version)
}

const identityMatch = nullable(
  namedObject('IdentityMatch', {
    type: Type.String({ description: '`company_name`, `legal_entity`, `brand`, `alias` or `domain`.' }),
    name: Type.String({
      description:
        'The matched name or domain. In the preview, and on a page without a row of that Company: ' +
        '`q` or `domain` as sent.',
    }),
    aliases: Type.Array(Type.String()),
    official_domain: nullable(Type.String()),
    company_ref: nullable(Type.String()),
    company_name: nullable(Type.String()),
    legal_entity: nullable(Type.String()),
  }),
  {
    description:
      'null: no Company is named exactly, or more than one. Of several Companies of a site, it is that of ' +
      'its verdict. The preview, and a page without a row of that Company, reveal `type` alone.',
  },
)

const answered = nullable(Type.Boolean(), {
  description:
    'Whether the Company that `q` names exactly is among the results, on this page or another; null ' +
    'without `q`.',
})

const answerBasis = nullable(oneOf(['identity', 'text', 'similar', 'filters']), {
  description:
    '`identity`: `answered` is true. `text`: the results match the text. `similar`: nothing matches ' +
    'the text, and the results are similar. `filters`: no text was given. null: nothing matches.',
})

export const identityMembers = { identity_match: identityMatch, answered, answer_basis: answerBasis }

/** Returns the identity members of a page. A Company without its row on a paid page is hidden. */
export function identityMembersOf(
  { result, identity, isAnswered }: FoundCompanyPage,
  { q, domain }: SearchFilters,
  isPaid: boolean,
) {
  const isSold = isPaid && result.rows.some(row => row.id === identity?.companyId)
  return {
    identity_match: identity === null || isSold ? identity : hideIdentity(identity, q ?? domain ?? ''),
    answered: isAnswered,
    answer_basis: isAnswered ? ('identity' as const) : result.basis,
  }
}

function hideIdentity({ type }: IdentifiedCompany, sent: string): Static<typeof identityMatch> {
  return {
    type,
    name: sent,
    aliases: [],
    official_domain: null,
    company_ref: null,
    company_name: null,
    legal_entity: null,
  }
}

/** Returns what the preview of a text shows, without its facets and at most `sampleCountMax` as its count. */
export async function sampleCompanies(world: World, q: string) {
  await refusePlatformBrand(world, q)
  const query = { ...companyQuery({ q }), countMax: sampleCountMax }
  const { total, rows, version } = await searchRows(world, query, samplePage)
  const identity = total === 0 ? null : await identify(world, query, version)
  return {
    ...limitedCount(total),
    sample: rows.map(companySampleOf),
    identity_match: identity === null ? null : { type: identity.type },
    /** Whether several Companies may have this name. */
    is_shared: isWholeName(rows[1]?.score ?? null),
  }
}

/** Returns the refs of the first Companies that match. Unknown filters are left out. */
export async function findCompanyRefs(world: World, filters: Record<string, string>, rows: number) {
  const known = Object.entries(filters).filter(([name]) => name in paidFilters)
  const query = companyQuery(canonicalCompanyFilters(Object.fromEntries(known)))
  const found = await searchRows(world, query, { position: { offset: 0 }, rows })
  return found.rows.map(({ hit }) => (JSON.parse(hit) as { company_ref: string }).company_ref)
}

const samplePage = { position: { offset: 0 }, rows: sampleRowsMax }
