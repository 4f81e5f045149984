import { type Static, Type } from 'typebox'
import { closedObject, instant, namedObject, nullable, oneOf } from '../../core/schema.ts'
import { licenseSourceWords } from '../inputs.ts'
import { observedAnswers, observedDates, observedSectionNames } from '../observed-sections.ts'
import { regimeInForce } from '../regimes/index.ts'
import { streamKinds, truthState } from '../source-facts.ts'
import { launchProfile } from './launch-profile/schema.ts'

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

const licensedByElement = namedObject('LicensedBy', {
  geo: Type.String({ description: 'Jurisdiction code.' }),
  regime: Type.Optional(regimeInForce),
  license_number: nullable(Type.String()),
  basis: Type.Optional(
    oneOf(['register', 'reviewed_brand', 'register_date'], {
      description:
        '`reviewed_brand`: the register names the brand of the license but no site; staff of this service ' +
        'reviewed that this site is of the brand. `register_date`: on that day (`as_of`) it counts by the ' +
        "register's own date alone, because the register was first read later. Absent: `register`, which " +
        'lists the site.',
    }),
  ),
})
export type LicensedBy = Static<typeof licensedByElement>

export const licensedBy = Type.Array(licensedByElement, {
  description: 'Licenses valid today. `license_number` is null if the rows read from the source have none.',
})

const listing = {
  geo: Type.String({ description: 'Regulator code.' }),
  listed_as: Type.String({ description: 'The listed host, with its path if it has one.' }),
}
const listedSince = { first_listed_at: instant({ description: 'When the current listing was first seen.' }) }

const blockedByElement = namedObject('BlockedBy', {
  ...listing,
  regime: Type.Optional(regimeInForce),
  scope: oneOf(['domain'], { description: 'The whole site is listed.' }),
  ...listedSince,
  basis: Type.Optional(
    oneOf(['register_date'], { description: "It counts by the register's own date alone, as above." }),
  ),
})
export type BlockedBy = Static<typeof blockedByElement>

export const blockedBy = Type.Array(blockedByElement, {
  description:
    'Regulators that list the site today, one element each. `listed_as` is the host nearest to the root.',
})

export const mentionsMax = 100

const mention = namedObject('MentionedBy', {
  ...listing,
  scope: oneOf(['host', 'path', 'shared_host'], {
    description: '`host`: a deeper host alone. `path`: one path. `shared_host`: one party on a host of many.',
  }),
  ...listedSince,
  is_asked: Type.Boolean({
    description: 'Whether the URL or host that was sent is the listed one, or lies below it.',
  }),
})
export type Mention = Static<typeof mention>

export const mentionedBy = Type.Array(mention, {
  maxItems: mentionsMax,
  description:
    'Listings of a deeper host or a path: evidence that gives the domain no verdict. ' +
    `At most ${mentionsMax}, those with \`is_asked\` first.`,
})

export const refreshBilling = closedObject(
  {
    status: oneOf(['reserved', 'charged', 'not_charged'], {
      description: '`reserved`: the check still runs; it is charged when it is completed, not if it fails.',
    }),
    credits: Type.Integer(),
  },
  { description: 'The check of the site that this request started, a charge of its own beside the verdict.' },
)

export const billingReason = Type.String({
  description:
    'Reason for the charge: `verdict_delivered`, `search_results_delivered`, `no_results`, `simulated` …',
})

const sectionSchemas = {
  licenses: Type.Array(
    namedObject('ObservedLicense', {
      jurisdiction: Type.String(),
      license_number: nullable(Type.String()),
      status: nullable(Type.String()),
      source_url: nullable(Type.String(), { description: licenseSourceWords }),
      ...observedDates,
      first_seen_at: nullable(instant(), {
        description:
          'Of the license, as in its profile. Where the source names no license: when it first listed ' +
          'the site. A return does not change it.',
      }),
    }),
  ),
  ...observedAnswers,
  logos: Type.Array(
    namedObject('ObservedLogo', {
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
    }),
  ),
  platform_history: Type.Array(
    namedObject('PlatformPeriod', {
      platform: Type.String(),
      from: instant(),
      to: nullable(instant()),
      observations: Type.Integer(),
    }),
    {
      description:
        'Contiguous periods on reviewed platforms, newest first. `to` is null for the current one.',
    },
  ),
}

/** The observations of a domain (§2.9). Only requested sections are present. */
export const observations = namedObject('Observations', {
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
    closedObject({
      name: nullable(Type.String()),
      legal_entity_name: nullable(Type.String()),
      country: nullable(Type.String()),
    }),
  ),
  brand: nullable(closedObject({ name: Type.String(), slug: Type.String() })),
  enrichment_run: nullable(
    closedObject({
      status: oneOf(['completed', 'running', 'failed', 'not_available'], {
        description:
          '`running`: not ended before the answer. `failed`: the site could not be read. ' +
          '`not_available`: no checks are made here.',
      }),
      completed_at: nullable(instant()),
      enrichment_id: nullable(Type.String(), {
        description: 'Of the check that this request asked for; null: the stored evidence is young enough.',
      }),
    }),
    { description: 'The check of the site, if `max_age_days` asks for evidence of an age.' },
  ),
  meta: closedObject({
    freshness_age_seconds: nullable(Type.Integer()),
    served_from_cache: Type.Boolean(),
    billable: Type.Boolean(),
    observed_at: nullable(instant()),
    generated_at: instant(),
  }),
  ...Type.Partial(Type.Object(sectionSchemas)).properties,
  operator_launch_profile: Type.Optional(launchProfile),
})

export const checkedStreamsInput = Type.Boolean({
  description: 'Whether `checked.streams` names the streams behind the verdict, with their snapshots. Free.',
})

export const checked = closedObject(
  {
    registers: Type.Integer({ description: 'Number of registers of licenses or authorised domains.' }),
    blocklists: Type.Integer({ description: 'Number of blocklists.' }),
    oldest_snapshot_at: nullable(instant(), { description: 'Time of the oldest of their snapshots.' }),
    as_of: instant({ description: 'Time of this verdict.' }),
    before_tracking: Type.Optional(
      Type.Array(
        closedObject({
          stream: Type.String(),
          tracked_from: instant({ description: 'When its first snapshot was taken.' }),
        }),
        {
          description:
            'With `as_of` or `known_at`: the streams that were first read after `as_of`. What they listed ' +
            'and removed before is not known.',
        },
      ),
    ),
    streams: Type.Optional(
      Type.Array(
        closedObject({
          stream: Type.String(),
          market: Type.String(),
          kind: oneOf(streamKinds, { named: 'StreamKind' }),
          snapshot_ref: nullable(Type.String(), { description: 'The snapshot that the verdict is of.' }),
          last_snapshot_at: instant({ description: 'When its data was last read or confirmed.' }),
          truth_state: truthState,
        }),
        {
          description:
            'The streams that are counted, with `checked_streams`. All verdicts are of these snapshots. ' +
            'With `as_of` or `known_at` they and their `truth_state` are those of `known_at`; whether a ' +
            'snapshot was quarantined then is not known, so that `held` does not occur.',
        },
      ),
    ),
  },
  { description: 'What was checked before this verdict.' },
)
