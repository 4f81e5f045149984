import { Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { closed, instant, nullable, oneOf } from '../../core/schema.ts'
import type { World } from '../../database/open.ts'
import { charge, costOf } from '../../metering/pricing.ts'
import { domainEntry } from '../domain-entry.ts'
import { licenseNumberInput, marketInput, maxCredits } from '../inputs.ts'
import { defineOperation, type InputOf } from '../operation.ts'
import { billProfiles, profileBilling } from '../profile-billing.ts'
import { requireOneJurisdiction } from './find-licenses.ts'
import { licenseResolutions, numberKey, refKey } from './resolutions-store.ts'
import example from './resolve-license.example.json' with { type: 'json' }

const refCharactersMax = 64

const query = Type.Object(
  {
    license_ref: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: refCharactersMax,
        description: 'Opaque handle. It wins over the other inputs, which are returned in `ignored_inputs`.',
      }),
    ),
    license_number: Type.Optional(licenseNumberInput),
    jurisdiction: Type.Optional(marketInput('The register of `license_number`, where several use it.')),
    max_credits: Type.Optional(maxCredits),
  },
  closed,
)

type Input = InputOf<typeof query>

const day = nullable(Type.String({ format: 'date' }))

const licenseProfile = Type.Object(
  {
    license_ref: Type.String(),
    company_ref: nullable(Type.String(), {
      description: 'The Company that holds the license; null: the source names no known holder.',
    }),
    company_name: nullable(Type.String()),
    legal_entity: nullable(Type.String(), {
      description: 'null unless a source filed one: a register, or a file for a legal entity.',
    }),
    jurisdiction: Type.String(),
    license_number: nullable(Type.String(), { description: 'As published.' }),
    license_type: nullable(Type.String(), { description: 'As published.' }),
    status: nullable(Type.String(), {
      description: 'As published, in one spelling; null where the register publishes none.',
    }),
    issued_at: day,
    expires_at: day,
    first_seen_at: instant({
      description:
        'The first snapshot that listed it; in the first snapshot of a register, the day of issue if ' +
        'that is earlier. The same in every answer. A return does not change it.',
    }),
    last_seen_at: nullable(instant()),
    last_confirmed_at: nullable(instant()),
    listed: Type.Boolean({
      description:
        'false: its register no longer lists it. The other fields, `status` included, are the last ' +
        'published ones, and it covers no domain.',
    }),
    source_url: nullable(Type.String(), { description: 'The public register entry.' }),
    authorized_domains: Type.Array(domainEntry, {
      description:
        'All domains that the register lists for it today, except inactive ones. Whether they are ' +
        'licensed depends on `status`: those of a revoked license are included as long as its ' +
        'register lists them.',
    }),
  },
  { ...closed, named: 'LicenseProfile' },
)

export const resolveLicense = defineOperation({
  name: 'resolve_license',
  method: 'GET',
  path: '/v1/licenses/resolve',
  tag: 'Licenses',
  section: '§4.9',
  summary: 'Resolve a license to its profile',
  description: `Resolves a \`license_ref\`, or a number with the jurisdiction that issued it, to the
license: its holder, its entry in the register, and every domain that it covers. If several
jurisdictions use the number and none is sent, the response is a free 409. If two sources of one
jurisdiction have the number, both profiles are returned. Costs ${costOf('license.profile')} a profile.`,
  query,
  exclusive: { parameter: 'license_ref', unread: ['license_number', 'jurisdiction'] },
  data: Type.Object(
    {
      resolved_by: oneOf(['license_ref', 'license_number']),
      ignored_inputs: Type.Object(
        { license_number: Type.Optional(Type.String()), jurisdiction: Type.Optional(Type.String()) },
        { ...closed, description: 'Inputs that were sent and ignored.' },
      ),
      licenses: Type.Array(licenseProfile),
      billing: profileBilling('`license_profile_delivered` or `simulated` (demo key).'),
    },
    closed,
  ),
  written: ['licenses'],
  prices: ['license.profile'],
  failures: [
    'not_found',
    'ambiguous_license_number',
    'max_credits_exceeded',
    'quota_exceeded',
    'idempotency_key_reused',
  ],
  demo: [
    {
      title: 'A British license by its number',
      query: { license_number: '099101-R-339101-004', jurisdiction: 'ukgc' },
    },
    { title: 'The same with any version counter', query: { license_number: '099101-r-339101' } },
    { title: 'A Maltese license, suspended', query: { license_number: 'MGA/B2B/9904/2020' } },
    { title: 'A license without a status', query: { license_number: 'RBL-9901', jurisdiction: 'ireland' } },
    { title: 'A license that was revoked', query: { license_number: 'OGL/2024/9901/0901' } },
  ],
  example,

  async quote({ world }, input: Input) {
    const { found, profiles } = await findLicenses(world, input)
    const price = charge('license.profile', found)
    return {
      ceiling: price.credits_charged,
      deliver: async () => ({
        charges: [price],
        written: { licenses: `[${profiles}]` },
        data: {
          resolved_by:
            input.license_ref === undefined ? ('license_number' as const) : ('license_ref' as const),
          ignored_inputs: ignoredInputs(input),
          licenses: [],
          billing: billProfiles([price], 'license_profile_delivered', input.max_credits),
        },
      }),
    }
  },
})

async function findLicenses(world: World, input: Input): Promise<{ found: number; profiles: string }> {
  const { license_ref: ref, license_number: number, jurisdiction } = input
  if (ref === undefined && number === undefined) {
    throw new Failure('missing_parameter', {
      message: 'Send "license_ref", or "license_number" with or without "jurisdiction".',
      details: { parameter: 'license_number', takes: 'a license number, or send license_ref' },
    })
  }
  const key = ref === undefined ? numberKey(number as string, jurisdiction) : refKey(ref)
  const resolution = await world.readByKey(licenseResolutions, key)
  requireOneJurisdiction(resolution?.jurisdictions ?? null)
  if (!resolution?.profiles) throw new Failure('not_found', { message: 'No license matches.' })
  return { found: resolution.found, profiles: resolution.profiles }
}

function ignoredInputs({ license_ref: ref, license_number: number, jurisdiction }: Input) {
  if (ref === undefined) return {}
  return {
    ...(number === undefined ? {} : { license_number: number }),
    ...(jurisdiction === undefined ? {} : { jurisdiction }),
  }
}
