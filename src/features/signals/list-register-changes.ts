import { type RegisterEventType, registerEventTypes } from '@baize/registers/changes'
import { Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { closedObject, instant, namedObject, nullable, oneOf } from '../../core/schema.ts'
import { costOf } from '../../metering/pricing.ts'
import { marketInput } from '../inputs.ts'
import { defineOperation, type InputOf } from '../operation.ts'
import { market } from '../value-sets.ts'
import { quoteFeed } from './feed-page.ts'
import {
  backfilled,
  correctionOf,
  feedData,
  feedFailures,
  feedPageInput,
  nullableDay,
} from './feed-schemas.ts'
import example from './list-register-changes.example.json' with { type: 'json' }
import { type RegisterRow, readRegisterRows } from './register-rows-store.ts'

const feed = 'rc1'

/** An event type of §6 that is rejected, because registers do not publish past expiry dates. */
const unavailableEventType = 'expiry_date_passed'
const knownEventTypes = [...registerEventTypes, unavailableEventType] as const
const eventType = oneOf(knownEventTypes, {
  takes: `one of ${registerEventTypes.join(', ')}`,
  description: `An event type. \`${unavailableEventType}\` is not available and is rejected.`,
})

const query = closedObject({
  jurisdiction: marketInput('The jurisdiction of the registers and blocklists.'),
  source_stream_key: Type.Optional(
    Type.String({
      pattern: '^[a-z0-9_]{2,64}[.][a-z0-9_]{2,64}$',
      takes: 'the key of a stream, as ukgc.licences',
      description: 'Only changes of this source, e.g. `ukgc.licences`.',
    }),
  ),
  published_legal_name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Only changes of records published under exactly this name, before or after the change.',
    }),
  ),
  event_type: Type.Optional(eventType),
  'event_type[]': Type.Optional(
    Type.Array(eventType, {
      maxItems: knownEventTypes.length,
      description: 'Several event types. Combined with `event_type` if both are sent.',
    }),
  ),
  ...feedPageInput,
})

type Input = InputOf<typeof query>

/** Sorts event types in the order of §6, so that equal requests have equal fingerprints. */
function withEventTypes({ event_type: single, 'event_type[]': several, ...rest }: Input): Input {
  if (single === undefined && several === undefined) return rest
  const requested = new Set<string>([...(several ?? []), ...(single === undefined ? [] : [single])])
  if (requested.has(unavailableEventType)) {
    throw new Failure('event_type_not_available', {
      details: {
        parameter: single === unavailableEventType ? 'event_type' : 'event_type[]',
        event_type: unavailableEventType,
      },
    })
  }
  return { ...rest, 'event_type[]': registerEventTypes.filter(type => requested.has(type)) }
}

const changeSet = Type.Object(
  {},
  {
    additionalProperties: true,
    description: [
      'What changed: `after` of an added record, `before` of a removed one, both values of a changed field,',
      '`authorized_domains` {added, removed}, or the blocklist entry itself.',
    ].join(' '),
  },
)

const signal = namedObject('RegisterChange', {
  signal_ref: Type.String(),
  type: oneOf(['register_change']),
  correction_of: correctionOf,
  backfilled,
  headline: Type.String(),
  source: closedObject({
    source_stream_key: Type.String(),
    jurisdiction: market(),
    source_claim: Type.String({
      description: 'What a listing in the source means: `license`, `authorised_domain` or `blocklist`.',
    }),
    qualification: Type.String({ description: 'Limits of what the source claims.' }),
    source_identity: Type.String(),
  }),
  subject: closedObject({
    company_ref: nullable(Type.String()),
    role: oneOf(['unknown']),
    published_legal_name: nullable(Type.String()),
  }),
  license: closedObject({
    license_number: nullable(Type.String()),
    license_type: nullable(Type.String()),
    reviewed_status_claim: nullable(Type.String(), {
      description: 'The status as the source publishes it. null: it publishes none.',
    }),
    authorized_domains: Type.Array(Type.String()),
  }),
  change: closedObject({
    event_type: oneOf(registerEventTypes, { named: 'RegisterEventType' }),
    change_set: changeSet,
    occurred_at: instant({
      description: 'The date that the register gives for the change, or else when it was read.',
    }),
    detected_at: instant(),
    last_corrected_at: nullable(instant()),
  }),
  evidence: Type.Array(
    closedObject({
      source_type: oneOf(['register']),
      source_url: nullable(Type.String()),
      observed_at: nullable(instant()),
    }),
  ),
})

const echo = closedObject({
  jurisdiction: market(),
  source_stream_key: nullable(Type.String()),
  published_legal_name: nullable(Type.String()),
  event_type: nullable(Type.Array(oneOf(registerEventTypes, { named: 'RegisterEventType' })), {
    description: 'The event types of the query. null: every type.',
  }),
  occurred_from: nullableDay,
  occurred_to: nullableDay,
})

export const listRegisterChanges = defineOperation({
  name: 'list_register_changes',
  method: 'GET',
  path: '/v1/signals/register-changes',
  tag: 'Signals',
  section: '§4.3',
  summary: 'List register changes',
  description: `Changes in the registers and blocklists of a jurisdiction, in the order in which they were
detected. Pass \`next_cursor\` as \`after\`: every Signal is delivered once, and at the end of the feed the
cursor can be stored and polled. Costs ${costOf('signal.base')} per Signal; correcting Signals and
empty pages are free. An added record does not imply a grant, and a removed one does not imply a revocation:
\`revoked\` is reported only where the source publishes it.`,
  query,
  data: feedData(echo, signal),
  prices: ['signal.base'],
  failures: ['event_type_not_available', ...feedFailures],
  demo: [
    { title: 'Changes of the British register', query: { jurisdiction: 'ukgc', page_size: '5' } },
    {
      title: 'Licenses revoked or removed',
      query: { jurisdiction: 'ukgc', 'event_type[]': ['removed_from_register', 'revoked'] },
    },
    { title: 'Changes of the Italian blocklist', query: { jurisdiction: 'italy', page_size: '5' } },
    { title: 'A jurisdiction without a source', query: { jurisdiction: 'peru' } },
  ],
  example,
  canonical: withEventTypes,

  quote(context, input: Input) {
    const {
      jurisdiction: market,
      source_stream_key: stream = null,
      published_legal_name: name = null,
    } = input
    const eventTypes = (input['event_type[]'] as RegisterEventType[] | undefined) ?? null
    const filters = {
      jurisdiction: market,
      source_stream_key: stream,
      published_legal_name: name,
      event_type: eventTypes,
    }
    const rowFilters = { market, stream, eventTypes, publishedLegalName: name }
    return quoteFeed(context, input, {
      feed,
      filters,
      source: stream,
      readPage: position => readRegisterRows(context.world, rowFilters, position),
      describe: describeChange,
    })
  },
})

function describeChange(row: RegisterRow) {
  const { content } = row
  const isBlocked = row.record_kind === 'blocklist_entry'
  return {
    signal_ref: row.signal_ref,
    type: 'register_change' as const,
    correction_of: row.correction_of,
    backfilled: row.is_backfill,
    headline: row.headline,
    source: {
      source_stream_key: row.stream,
      jurisdiction: row.market,
      source_claim: claimOf(row),
      qualification: row.qualification ?? '',
      source_identity: row.source_identity ?? row.stream,
    },
    subject: {
      company_ref: row.company_ref,
      role: 'unknown' as const,
      published_legal_name: row.published_legal_name,
    },
    license: {
      license_number: content.license?.license_number ?? null,
      license_type: content.license?.license_type ?? null,
      reviewed_status_claim: content.license?.status ?? null,
      authorized_domains: isBlocked ? [] : content.authorized_domains,
    },
    change: {
      event_type: row.event_type,
      change_set: content.change_set,
      occurred_at: row.occurred_at.toISOString(),
      detected_at: row.detected_at.toISOString(),
      last_corrected_at: row.last_corrected_at?.toISOString() ?? null,
    },
    evidence: [
      { source_type: 'register' as const, source_url: content.source_url, observed_at: content.observed_at },
    ],
  }
}

function claimOf({ record_kind: kind, source_claim: claim }: RegisterRow): string {
  if (kind === 'blocklist_entry') return 'blocklist'
  if (claim === 'license_and_blocklist' || claim === null)
    return kind === 'authorisation' ? 'authorised_domain' : 'license'
  return claim
}
