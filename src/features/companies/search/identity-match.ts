import { Type } from 'typebox'
import type { Static } from '../../../core/operation.ts'
import { closed, nullable, oneOf } from '../../../core/schema.ts'
import type { Identified } from '../../search/index.ts'

/** The one Company that the text or the domain names exactly (§2.6). */
export const identityMatch = nullable(
  Type.Object(
    {
      type: Type.String({ description: '`company_name`, `legal_entity`, `brand`, `alias` or `domain`.' }),
      name: Type.String({
        description:
          'What names it; in the preview, and on a page that has no row of it, `q` or `domain` as it was asked for.',
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
      'null: nobody is named exactly, or more than one. The preview, and a page that has no row of that Company, tell `type` and no more.',
  },
)

export const answered = nullable(Type.Boolean(), {
  description:
    'Whether the Company that `q` names exactly is among the results, this page or another; null without `q`.',
})

export const answerBasis = nullable(oneOf(['identity', 'text', 'similar', 'filters']), {
  description:
    '`identity`: `answered` is true. `text`: the results bear the text. `similar`: nothing bears it, and these are like it. `filters`: no text was asked for. null: nothing matches.',
})

type IdentityMatch = NonNullable<Static<typeof identityMatch>>

export function tellIdentity(identity: Identified): IdentityMatch {
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

/** Where the Company is not paid for: that there is one, under the name that was asked for, and no more. */
export function hideIdentity({ type }: Identified, asked: string): IdentityMatch {
  return {
    type,
    name: asked,
    aliases: [],
    official_domain: null,
    company_ref: null,
    company_name: null,
    legal_entity: null,
  }
}
