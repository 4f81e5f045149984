import { type Static, Type } from 'typebox'
import { streamKinds } from '../../core/published-fields.ts'
import { closed, instant, nullable, oneOf } from '../../core/schema.ts'
import { truthState } from '../truth-state.ts'
import { launchProfile } from './launch-profile.ts'
import { observedAnswers, observedDates, observedSectionNames } from './observation-sections.ts'

const verdicts = ['licensed', 'blocklisted', 'mixed', 'no_record'] as const
export type Verdict = (typeof verdicts)[number]

export const noRecordMeaning =
  '`no_record` means that no regulator record is stored; it does not mean unlicensed.'

export const observationSections = [
  'licenses',
  ...observedSectionNames,
  'operator_launch_profile',
  'logos',
  'platform_history',
] as const
export type ObservationSection = (typeof observationSections)[number]

export const verdictWord = () => oneOf(verdicts, { named: 'Verdict' })

export const licensedBy = Type.Array(
  Type.Object(
    { geo: Type.String({ description: 'Jurisdiction code.' }), license_number: nullable(Type.String()) },
    { ...closed, named: 'LicensedBy' },
  ),
  { description: 'Licenses valid today. `license_number` is null if the register publishes none.' },
)

const listing = {
  geo: Type.String({ description: 'Regulator code.' }),
  listed_as: Type.String({ description: 'The listed host, with its path if it has one.' }),
}
const listedSince = { first_listed_at: instant({ description: 'When the current listing was first seen.' }) }

const blockedByElement = Type.Object(
  {
    ...listing,
    scope: oneOf(['domain'], { description: 'The whole site is listed.' }),
    ...listedSince,
  },
  { ...closed, named: 'BlockedBy' },
)
export type BlockedBy = Static<typeof blockedByElement>

export const blockedBy = Type.Array(blockedByElement, {
  description:
    'Regulators that list the site today, one element each. `listed_as` is the host nearest to the root.',
})

export const mentionsMax = 100

const mention = Type.Object(
  {
    ...listing,
    scope: oneOf(['host', 'path', 'shared_host'], {
      description:
        '`host`: a deeper host alone. `path`: one path. `shared_host`: one party on a host of many.',
    }),
    ...listedSince,
    is_asked: Type.Boolean({
      description: 'Whether the URL or host that was sent is the listed one, or lies below it.',
    }),
  },
  { ...closed, named: 'MentionedBy' },
)
export type Mention = Static<typeof mention>

export const mentionedBy = Type.Array(mention, {
  maxItems: mentionsMax,
  description:
    'Listings of a deeper host or a path: evidence that gives the domain no verdict. ' +
    `At most ${mentionsMax}, those with \`is_asked\` first.`,
})

export const billingLine = Type.Object(
  {
    key: oneOf(['domain.verdict', 'domain.operator_launch_profile']),
    units: Type.Integer(),
    credits_per_unit: Type.Integer(),
    credits_charged: Type.Integer(),
  },
  closed,
)

export const refreshBilling = Type.Object(
  {
    status: oneOf(['reserved', 'charged', 'not_charged'], {
      description: '`reserved`: the check still runs; it is charged when it is completed, not if it fails.',
    }),
    credits: Type.Integer(),
  },
  {
    ...closed,
    description: 'The check of the site that this request started, a charge of its own beside the verdict.',
  },
)

export const billingReason = Type.String({
  description:
    'Reason for the charge: `verdict_delivered`, `search_results_delivered`, `no_results`, `simulated` …',
})

const sectionSchemas = {
  licenses: Type.Array(
    Type.Object(
      {
        jurisdiction: Type.String(),
        license_number: nullable(Type.String()),
        status: nullable(Type.String()),
        source_url: nullable(Type.String()),
        ...observedDates,
        first_seen_at: nullable(instant(), {
          description:
            'Of the license, as in its profile. Where the source names no license: when it first listed ' +
            'the site. A return does not change it.',
        }),
      },
      { ...closed, named: 'ObservedLicense' },
    ),
  ),
  ...observedAnswers,
  logos: Type.Array(
    Type.Object(
      {
        variant: Type.String(),
        theme: Type.String(),
        format: Type.String(),
        width: nullable(Type.Integer()),
        height: nullable(Type.Integer()),
        url: Type.String(),
        source: oneOf(['business_profile', 'website', 'catalog']),
        current: Type.Boolean(),
        first_seen_at: instant(),
        superseded_at: nullable(instant()),
      },
      { ...closed, named: 'ObservedLogo' },
    ),
  ),
  platform_history: Type.Array(
    Type.Object(
      { platform: Type.String(), from: instant(), to: nullable(instant()), observations: Type.Integer() },
      { ...closed, named: 'PlatformPeriod' },
    ),
    {
      description:
        'Contiguous periods on reviewed platforms, newest first. `to` is null for the current one.',
    },
  ),
}

/** §2.9. Only requested sections are present. */
export const observations = Type.Object(
  {
    domain: Type.String(),
    domain_normalized: Type.String(),
    status: oneOf(['observed', 'not_observed'], {
      description:
        '`not_observed`: no observation and no reading of a platform is stored. It does not mean that ' +
        'the site has nothing.',
    }),
    last_enriched_at: nullable(instant(), {
      description: 'Time of the latest observation of any section, or reading of a platform.',
    }),
    company: nullable(
      Type.Object(
        {
          name: nullable(Type.String()),
          legal_entity_name: nullable(Type.String()),
          country: nullable(Type.String()),
        },
        closed,
      ),
    ),
    brand: nullable(Type.Object({ name: Type.String(), slug: Type.String() }, closed)),
    enrichment_run: nullable(
      Type.Object(
        {
          status: oneOf(['completed', 'running', 'failed', 'not_available'], {
            description:
              '`running`: not ended before the answer. `failed`: the site could not be read. ' +
              '`not_available`: no checks are made here.',
          }),
          completed_at: nullable(instant()),
          enrichment_id: nullable(Type.String(), {
            description:
              'Of the check that this request asked for; null: the stored evidence is young enough.',
          }),
        },
        closed,
      ),
      { description: 'The check of the site, if `max_age_days` asks for evidence of an age.' },
    ),
    meta: Type.Object(
      {
        freshness_age_seconds: nullable(Type.Integer()),
        served_from_cache: Type.Boolean(),
        billable: Type.Boolean(),
        observed_at: nullable(instant()),
        generated_at: instant(),
      },
      closed,
    ),
    ...Type.Partial(Type.Object(sectionSchemas)).properties,
    operator_launch_profile: Type.Optional(launchProfile),
  },
  { ...closed, named: 'Observations' },
)

export const checked = Type.Object(
  {
    registers: Type.Integer({ description: 'Number of registers of licenses or authorised domains.' }),
    blocklists: Type.Integer({ description: 'Number of blocklists.' }),
    oldest_snapshot_at: nullable(instant(), { description: 'Time of the oldest of their snapshots.' }),
    as_of: instant({ description: 'Time of this verdict.' }),
    streams: Type.Optional(
      Type.Array(
        Type.Object(
          {
            stream: Type.String(),
            market: Type.String(),
            kind: oneOf(streamKinds, { named: 'StreamKind' }),
            last_snapshot_at: instant({ description: 'When its data was last read or confirmed.' }),
            truth_state: truthState,
          },
          closed,
        ),
        { description: 'The streams that are counted, with `checked_streams=true`.' },
      ),
    ),
  },
  { ...closed, description: 'What was checked before this verdict.' },
)
