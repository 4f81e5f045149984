import { Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { closedObject } from '../../core/schema.ts'
import {
  approveBrandDomain,
  type BrandDomainReport,
  enterBrandDomain,
  readBrandDomains,
  removeBrandDomain,
} from '../brands/index.ts'
import { type AnswerOf, defineSessionOperation, type SessionContext } from '../session-operation.ts'
import { market } from '../value-sets.ts'
import { asProblem } from './as-problem.ts'

const listBrandDomains = defineSessionOperation({
  name: 'list_brand_domains',
  method: 'GET',
  path: '/dashboard/staff/brands',
  access: 'staff',
  summary: 'Sites of brands of every status, proposed ones first',
  failures: [],
  async answer({ world: { database }, session: { email } }) {
    const rows = await readBrandDomains(database)
    return {
      brand_domains: rows.map(({ entered_at, known_from, known_to, ...row }) => ({
        ...row,
        entered_at: entered_at.toISOString(),
        known_from: known_from?.toISOString() ?? null,
        known_to: known_to?.toISOString() ?? null,
        is_own: row.entered_by === email,
      })),
    }
  },
})

export type BrandDomainList = AnswerOf<typeof listBrandDomains>

const reason = Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' })

const enter = defineSessionOperation({
  name: 'enter_brand_domain',
  method: 'POST',
  path: '/dashboard/staff/brands',
  access: 'staff',
  stepUp: true,
  summary: 'Propose the site of a brand, which another person of staff approves',
  form: closedObject({
    market: market(),
    brand: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
    domain: Type.String({ minLength: 1, maxLength: 300 }),
    source_url: Type.String({ maxLength: 2_000, pattern: '^https?://' }),
    source_day: Type.Optional(Type.String({ format: 'date' })),
    reason,
  }),
  failures: ['invalid_parameter'],
  answer: ({ world, session, now }, { reason: why, ...entry }) =>
    asProblem('brand', () => enterBrandDomain(world, entry, { why, by: session, now })),
})

const declared = {
  method: 'POST' as const,
  access: 'staff' as const,
  stepUp: true as const,
  params: closedObject({ brand_domain_ref: Type.String({ maxLength: 64 }) }),
  failures: ['route_not_found' as const, 'invalid_parameter' as const],
}

const approve = defineSessionOperation({
  ...declared,
  name: 'approve_brand_domain',
  path: '/dashboard/staff/brands/{brand_domain_ref}/approve',
  summary: 'Approve the site of a brand that another person proposed',
  answer: (context, { brand_domain_ref: ref }) => decideBrand(context, ref, approveBrandDomain),
})

const remove = defineSessionOperation({
  ...declared,
  name: 'remove_brand_domain',
  path: '/dashboard/staff/brands/{brand_domain_ref}/remove',
  summary: 'Remove the site of a brand, or withdraw its proposal',
  form: closedObject({ reason }),
  answer: (context, { brand_domain_ref: ref, reason: why }) =>
    decideBrand(context, ref, (world, ref, act) => removeBrandDomain(world, ref, { ...act, why })),
})

async function decideBrand(
  { world, session, now }: SessionContext,
  ref: string,
  work: typeof approveBrandDomain,
) {
  const [known] = await readBrandDomains(world.database, { ref })
  if (known === undefined) throw new Failure('route_not_found')
  return asProblem<BrandDomainReport>('brand_domain_ref', () => work(world, ref, { by: session, now }))
}

export const brandReviewOperations = [listBrandDomains, enter, approve, remove]
