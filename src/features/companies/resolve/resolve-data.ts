import { Type } from 'typebox'
import type { Static } from '../../../core/operation.ts'
import { closed, oneOf } from '../../../core/schema.ts'
import { profileBillingMembers } from '../../profile-billing.ts'
import { companyCandidate, companyProfile } from './company-profile.ts'
import { inputKinds } from './find-companies.ts'

export const candidatesMax = 100

const ignoredText = Type.Optional(Type.String())

/** §4.6. */
export const resolvedCompanies = Type.Object(
  {
    resolved_by: oneOf(inputKinds, { description: 'The identifier that was resolved.' }),
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
          Type.Boolean({ description: 'Present only if it was sent as false.' }),
        ),
      },
      { ...closed, description: 'Inputs that were sent but not used.' },
    ),
    input_company_ref: Type.Optional(Type.String({ description: 'The `company_ref` that was sent.' })),
    resolved_company_ref: Type.Optional(
      Type.String({ description: 'The ref of the first Company; omitted if there are only candidates.' }),
    ),
    ref_status: Type.Optional(
      oneOf(['active', 'merged'], {
        description: '`merged`: the Company of the sent ref was merged into the returned one.',
      }),
    ),
    companies: Type.Array(companyProfile),
    matches: Type.Array(companyCandidate, {
      description: `Up to ${candidatesMax} Companies with the name, if several. Resolve one by its ref.`,
    }),
    matches_total: Type.Integer({
      description: 'Total number of Companies with the name if there are several, else 0.',
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
            { description: 'Only when firmographics are included.' },
          ),
        ),
      },
      closed,
    ),
  },
  closed,
)

export type ResolvedCompanies = Static<typeof resolvedCompanies>
