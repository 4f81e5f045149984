import { Type } from 'typebox'
import { closed, oneOf } from '../../../core/schema.ts'
import { costOf } from '../../../metering/pricing.ts'
import { freshDaysDefault } from '../../firmographics/index.ts'
import { domainInput, licenseNumberInput, marketInput, maxCredits, wordsInput } from '../../inputs.ts'
import type { InputOf } from '../../operation.ts'

const refCharactersMax = 64
/** The longest name that the service stores. */
const nameCharactersMax = 500
const ageDaysMax = 3_650

const includes = ['firmographics'] as const

const ref = (description: string) => Type.String({ minLength: 1, maxLength: refCharactersMax, description })

export const resolveQuery = Type.Object(
  {
    company_ref: Type.Optional(
      ref('Opaque identifier. Overrides all other identifiers, which are returned in `ignored_inputs`.'),
    ),
    license_number: Type.Optional(licenseNumberInput),
    jurisdiction: Type.Optional(
      marketInput('The jurisdiction of `license_number`; required if several use that number.'),
    ),
    domain: Type.Optional(
      domainInput(
        'A casino URL or host. Returns the licensees of its registrable domain and the owners of its brand.',
      ),
    ),
    legal_entity: Type.Optional(
      wordsInput(
        nameCharactersMax,
        'A legal name exactly as a source filed it, ignoring case, accents and spaces.',
        'Ottermoor Gaming Limited',
      ),
    ),
    name: Type.Optional(
      wordsInput(
        nameCharactersMax,
        'A name, brand or alias exactly as published, ignoring case, accents and spaces.',
        'Lucky Otter',
      ),
    ),
    domain_ref: Type.Optional(
      ref('Add firmographics for this Domain of the Company only. Default: all its Domains.'),
    ),
    'include[]': Type.Optional(
      Type.Array(oneOf(includes, { failure: 'unknown_include' }), {
        maxItems: includes.length,
        uniqueItems: true,
        description:
          '`firmographics` adds data about the organisations behind the Domains, ' +
          `at ${costOf('company.firmographics')} each.`,
      }),
    ),
    max_age_days: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: ageDaysMax,
        description:
          'Refresh firmographics older than this; 0 refreshes all. Each result reports the outcome under ' +
          '`refresh`. If omitted, nothing is refreshed ' +
          `and results older than ${freshDaysDefault} days are \`stale\`.`,
      }),
    ),
    allow_stale_on_error: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Whether to return stored firmographics that could not be refreshed.',
      }),
    ),
    max_credits: Type.Optional(maxCredits),
  },
  closed,
)

export type ResolveInput = InputOf<typeof resolveQuery>
