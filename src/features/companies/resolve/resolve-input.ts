import { Type } from 'typebox'
import { closed, oneOf } from '../../../core/schema.ts'
import { costOf } from '../../../metering/pricing.ts'
import { freshDaysDefault } from '../../firmographics/index.ts'
import { domainInput, licenseNumberInput, marketInput, maxCredits, wordsInput } from '../../inputs.ts'
import type { InputOf } from '../../operation.ts'

const refCharactersMax = 64
/** As long as the longest name that the service holds. */
const nameCharactersMax = 500
const ageDaysMax = 3_650

const includes = ['firmographics'] as const

const ref = (description: string) => Type.String({ minLength: 1, maxLength: refCharactersMax, description })

export const resolveQuery = Type.Object(
  {
    company_ref: Type.Optional(
      ref('Opaque handle; wins over all other identifiers, which go to `ignored_inputs`.'),
    ),
    license_number: Type.Optional(licenseNumberInput),
    jurisdiction: Type.Optional(marketInput('The register of `license_number`, where several use it.')),
    domain: Type.Optional(
      domainInput(
        'A casino URL or host; it leads to the licensees of its registrable domain and to who owns its brand.',
      ),
    ),
    legal_entity: Type.Optional(
      wordsInput(
        nameCharactersMax,
        'A legal name as a source filed it; case, accents and blanks do not count, everything else does.',
        'Ottermoor Gaming Limited',
      ),
    ),
    name: Type.Optional(
      wordsInput(
        nameCharactersMax,
        'A name, brand or alias as it is published; case, accents and blanks do not count, everything else does.',
        'Lucky Otter',
      ),
    ),
    domain_ref: Type.Optional(
      ref('The one Domain of the Company to add firmographics of; without it, of every one.'),
    ),
    'include[]': Type.Optional(
      Type.Array(oneOf(includes, { failure: 'unknown_include' }), {
        maxItems: includes.length,
        uniqueItems: true,
        description: `\`firmographics\` adds what is known of the organisations behind the Domains, at ${costOf('company.firmographics')} each.`,
      }),
    ),
    max_age_days: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: ageDaysMax,
        description: `Firmographics older than this are to be refreshed; 0: all. No source of them is configured in this version: each result tells that under \`refresh\`. Without it nothing is refreshed, and results older than ${freshDaysDefault} days are told to be stale.`,
      }),
    ),
    allow_stale_on_error: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Whether firmographics that could not be refreshed are delivered as they are held.',
      }),
    ),
    max_credits: Type.Optional(maxCredits),
  },
  closed,
)

export type ResolveInput = InputOf<typeof resolveQuery>
