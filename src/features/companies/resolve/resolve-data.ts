import { Type } from 'typebox'
import type { Static } from '../../../core/operation.ts'
import { closed, oneOf } from '../../../core/schema.ts'
import { profileBillingMembers } from '../../profile-billing.ts'
import { companyCandidate, companyProfile } from './company-profile.ts'
import { inputKinds } from './find-companies.ts'

export const candidatesMax = 100

const ignoredText = Type.Optional(Type.String())

/** What Company resolve answers (§4.6). */
export const resolvedCompanies = Type.Object(
  {
    resolved_by: oneOf(inputKinds, { description: 'The input that resolved.' }),
    ignored_inputs: Type.Object(
      {
        license_number: ignoredText,
        jurisdiction: ignoredText,
        domain: ignoredText,
        legal_entity: ignoredText,
        name: ignoredText,
        domain_ref: ignoredText,
        max_age_days: Type.Optional(Type.Integer()),
        allow_stale_on_error: Type.Optional(
          Type.Boolean({ description: 'Where it is false; true is what goes without saying.' }),
        ),
      },
      { ...closed, description: 'What was sent and changed nothing.' },
    ),
    input_company_ref: Type.Optional(Type.String({ description: 'The `company_ref` that was sent.' })),
    resolved_company_ref: Type.Optional(
      Type.String({ description: 'That of the first Company; left out when there are only candidates.' }),
    ),
    ref_status: Type.Optional(
      oneOf(['active', 'merged'], {
        description: '`merged`: the ref that was sent leads to the Company that answers for it today.',
      }),
    ),
    companies: Type.Array(companyProfile),
    matches: Type.Array(companyCandidate, {
      description: `The Companies that bear the name, at most ${candidatesMax}, when there are several: resolve one by its ref.`,
    }),
    matches_total: Type.Integer({
      description: 'All Companies that bear the name, when there are several; else 0.',
    }),
    billing: Type.Object(
      {
        ...profileBillingMembers('`company_profile_delivered`, `candidates_only` or `simulated` (demo key).'),
        breakdown: Type.Optional(
          Type.Array(
            Type.Object(
              {
                key: oneOf(['company.profile', 'company.firmographics']),
                units: Type.Integer(),
                credits_per_unit: Type.Integer(),
                credits_charged: Type.Integer(),
              },
              closed,
            ),
            { description: 'Where firmographics are included.' },
          ),
        ),
      },
      closed,
    ),
  },
  closed,
)

export type ResolvedCompanies = Static<typeof resolvedCompanies>
