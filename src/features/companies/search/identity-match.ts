import { Type } from 'typebox'
import type { Static } from '../../../core/operation.ts'
import { closed, nullable, oneOf } from '../../../core/schema.ts'
import type { IdentifiedCompany, SearchFilters } from '../../search/index.ts'
import type { FoundCompanies } from './find-companies.ts'

const identityMatch = nullable(
  Type.Object(
    {
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
    },
    { ...closed, named: 'IdentityMatch' },
  ),
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

type IdentityMatch = NonNullable<Static<typeof identityMatch>>

/** Identity facts are paid for with the Company's row: without it on the page they are hidden. */
export function identityMembersOf(
  { result, identity, isAnswered }: FoundCompanies,
  { q, domain }: SearchFilters,
  isPaid: boolean,
) {
  const isSold = isPaid && result.rows.some(row => row.id === identity?.companyId)
  const describe = isSold ? describeIdentity : hideIdentity
  return {
    identity_match: identity === null ? null : describe(identity, q ?? domain ?? ''),
    answered: isAnswered,
    answer_basis: isAnswered ? ('identity' as const) : result.basis,
  }
}

function describeIdentity(identity: IdentifiedCompany): IdentityMatch {
  return {
    type: identity.type,
    name: identity.name,
    aliases: identity.aliases,
    official_domain: identity.officialDomain,
    company_ref: identity.companyRef,
    company_name: identity.companyName,
    legal_entity: identity.legalEntity,
  }
}

function hideIdentity({ type }: IdentifiedCompany, sent: string): IdentityMatch {
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
