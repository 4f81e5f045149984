import { Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { closedObject, instant, namedObject, nullable, oneOf } from '../../core/schema.ts'
import type { Reads } from '../../database/open.ts'
import { charge, costOf } from '../../metering/pricing.ts'
import { billProfiles, profileBilling } from '../billing.ts'
import { domainEntry } from '../domain-entry.ts'
import { licenseNumberInput, licenseSourceWords, marketInput, maxCredits } from '../inputs.ts'
import { type Context, defineOperation, type InputOf } from '../operation.ts'
import {
  type Evidence,
  type EvidenceRow,
  evidenceNow,
  evidenceThen,
  readOfOneState,
  receiptInput,
  receiptMember,
  receiptOf,
} from '../receipts/index.ts'
import { notFoundExactly } from '../search/index.ts'
import { streamColumns, streamsThen } from '../streams-then-store.ts'
import { beforeHistory, readTimes, type Times, timesInput, timesMembers, timesOf } from '../two-times.ts'
import { licenseEvidence, licenseEvidenceThen } from './evidence-store.ts'
import {
  type LicenseResolution,
  licenseResolutions,
  licenseResolutionsThen,
  numberKey,
  refKey,
  resolutionKeyThen,
} from './resolutions-store.ts'
import example from './resolve-license.example.json' with { type: 'json' }
import { previewLicenses } from './search/preview-licenses.ts'

const refCharactersMax = 64

const query = closedObject({
  license_ref: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: refCharactersMax,
      description: 'Opaque handle. It wins over the other inputs, which are returned in `ignored_inputs`.',
    }),
  ),
  license_number: Type.Optional(licenseNumberInput),
  jurisdiction: Type.Optional(marketInput('The register of `license_number`, where several use it.')),
  receipt: Type.Optional(receiptInput),
  ...timesInput,
  max_credits: Type.Optional(maxCredits),
})

type Input = InputOf<typeof query>

const day = nullable(Type.String({ format: 'date' }))

const licenseProfile = namedObject('LicenseProfile', {
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
    description: 'As published, in one spelling; null where the rows read from the source have none.',
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
  source_url: nullable(Type.String(), { description: licenseSourceWords }),
  authorized_domains: Type.Array(domainEntry, {
    description:
      'All domains that the register lists for it today, except inactive ones. Whether they are ' +
      'licensed depends on `status`: those of a revoked license are included as long as its ' +
      'register lists them.',
  }),
})

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
jurisdiction have the number, both profiles are returned. Costs ${costOf('license.profile')} a profile.
With \`as_of\`, \`known_at\` or both, the profile is that of another day; a license that was unknown then, or
had not begun, is a 404. The holder has its name of today.`,
  query,
  exclusive: { parameter: 'license_ref', unread: ['license_number', 'jurisdiction'] },
  data: closedObject({
    resolved_by: oneOf(['license_ref', 'license_number']),
    ignored_inputs: closedObject(
      { license_number: Type.Optional(Type.String()), jurisdiction: Type.Optional(Type.String()) },
      { description: 'Inputs that were sent and ignored.' },
    ),
    licenses: Type.Array(licenseProfile),
    ...timesMembers,
    billing: profileBilling('`license_profile_delivered` or `simulated` (demo key).'),
    receipt: Type.Optional(receiptMember),
  }),
  written: ['licenses'],
  prices: ['license.profile'],
  failures: [
    'before_history',
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
    {
      title: 'A license with a signed receipt',
      query: { license_number: '099101-R-339101-004', jurisdiction: 'ukgc', receipt: 'true' },
    },
    {
      title: 'A license on a day before it was revoked',
      query: { license_number: '990202-R-993202-002', jurisdiction: 'ukgc', as_of: '2026-10-15' },
    },
    {
      title: 'The same as it was known then',
      query: { license_number: '990202-R-993202-002', jurisdiction: 'ukgc', known_at: '2026-10-15' },
    },
  ],
  example,

  async quote(context, input: Input) {
    const times = readTimes(input, context.now)
    const { found, profiles, evidence } = await findLicenses(context, input, times)
    const price = charge('license.profile', found)
    return {
      ceiling: price.credits_charged,
      deliver: async () => ({
        charges: [price],
        ...receiptOf(evidence, { members: {}, ...(times === null ? {} : { times: timesOf(times) }) }),
        written: { licenses: `[${profiles}]` },
        data: {
          resolved_by:
            input.license_ref === undefined ? ('license_number' as const) : ('license_ref' as const),
          ignored_inputs: ignoredInputs(input),
          ...times?.sent,
          billing: billProfiles([price], 'license_profile_delivered', input.max_credits),
        },
      }),
    }
  },
})

type CurrentRow = EvidenceRow & { is_current: boolean }
type Found = { found: number; profiles: string; evidence: Evidence | null }

async function findLicenses(context: Context, input: Input, times: Times | null): Promise<Found> {
  const { license_ref: ref, license_number: number, jurisdiction } = input
  if (ref === undefined && number === undefined) {
    throw new Failure('missing_parameter', {
      message: 'Send "license_ref", or "license_number" with or without "jurisdiction".',
      details: { parameter: 'license_number', takes: 'a license number, or send license_ref' },
    })
  }
  const key = ref === undefined ? numberKey(number as string, jurisdiction) : refKey(ref)
  const required = async (resolution: LicenseResolution | undefined) => {
    requireOneJurisdiction(resolution?.jurisdictions ?? null)
    if (!resolution?.profiles) throw await notFound(context, input)
    return { found: resolution.found, profiles: resolution.profiles }
  }
  const { world } = context
  if (times !== null) {
    const { moment, ...resolution } = await readThen(context, resolutionKeyThen(key, times))
    const result = await required(resolution)
    if (input.receipt !== true) return { ...result, evidence: null }
    const streams = streamColumns(await streamsThen(world, moment))
    const values = [result.profiles, moment.event, times.asOf, ...streams]
    const rows = await world.primary.read<EvidenceRow>({ ...licenseEvidenceThen, values })
    return { ...result, evidence: evidenceThen({ rows, isAll: false }) }
  }
  const read = async (reads: Reads) => required(await reads.readByKey(licenseResolutions, key))
  if (input.receipt !== true) return { ...(await read(world)), evidence: null }
  return readOfOneState(async () => {
    const result = await read(world.primary)
    const values = [[key], result.profiles]
    const rows = await world.primary.read<CurrentRow>({ ...licenseEvidence, values })
    if (rows[0]?.is_current !== true) return null
    const evidence = await evidenceNow(world, { rows, isAll: false })
    return evidence === null ? null : { ...result, evidence }
  })
}

/** Reads from the primary, so that one `known_at` is one state. */
async function readThen({ world }: Context, key: string) {
  const resolution = await world.primary.readByKey(licenseResolutionsThen, key)
  if (!resolution?.event || resolution.committed_at === null) throw await beforeHistory(world)
  const { event, committed_at, ...rest } = resolution
  return { ...rest, moment: { event, committed_at } }
}

function notFound(context: Context, { license_ref: ref, license_number, jurisdiction }: Input) {
  if (ref !== undefined) return notFoundExactly(context, { problem: 'There is no license', value: ref })
  return notFoundExactly(context, {
    problem: `${jurisdiction === undefined ? 'No' : `In ${jurisdiction} no`} license has exactly the number`,
    value: license_number as string,
    preview: previewLicenses,
    filters: { q: license_number, jurisdiction },
  })
}

function ignoredInputs({ license_ref: ref, license_number: number, jurisdiction }: Input) {
  if (ref === undefined) return {}
  return {
    ...(number === undefined ? {} : { license_number: number }),
    ...(jurisdiction === undefined ? {} : { jurisdiction }),
  }
}

/** Fails with 409 if several jurisdictions use a number (§7). */
export function requireOneJurisdiction(jurisdictions: readonly string[] | null): void {
  if (jurisdictions === null || jurisdictions.length < 2) return
  const named = jurisdictions.join(', ')
  throw new Failure('ambiguous_license_number', {
    message: `These jurisdictions use that license number: ${named}. Also send "jurisdiction".`,
    details: { jurisdictions },
  })
}
