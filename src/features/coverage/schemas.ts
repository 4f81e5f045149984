import { type Static, Type } from 'typebox'
import { closedObject, instant, namedObject, nullable, oneOf } from '../../core/schema.ts'
import { regime } from '../regimes/index.ts'
import { publishedFieldNames, streamKinds, truthState } from '../source-facts.ts'
import { market } from '../value-sets.ts'

export const marketStates = ['live', 'loaded_from_files', 'stale', 'held', 'not_covered'] as const

const marketState = oneOf(marketStates, {
  named: 'MarketState',
  description: [
    'The worst of its streams.',
    '`live`: each was fetched automatically, confirmed recently, and its last fetch succeeded.',
    '`loaded_from_files`: confirmed recently, from files that the operator loads.',
    '`stale`: a stream was not confirmed for three times its usual interval, cannot be fetched now, or was',
    'never read.',
    '`held`: a newer snapshot waits for a review.',
    '`not_covered`: no source of the market was ever read.',
  ].join(' '),
})

const publishedFields = Type.Array(oneOf(publishedFieldNames, { named: 'PublishedField' }))
const day = nullable(Type.String({ format: 'date' }))

const knownObstacle = (of: string) =>
  nullable(
    closedObject({ found: Type.String(), on: Type.String({ format: 'date' }), source: Type.String() }),
    { description: `What public notes say of ${of}; null: nothing.` },
  )

const coveredStream = namedObject('CoveredStream', {
  stream: Type.String(),
  kind: oneOf(streamKinds, { named: 'StreamKind' }),
  layout: oneOf(['recorded', 'described'], {
    description:
      '`recorded`: the official layout was read from a file of the regulator. `described`: it is known ' +
      'from ' +
      'documents or public code alone.',
  }),
  layout_recorded_at: day,
  compared_with: nullable(Type.String(), {
    description: 'The official file that the reading was compared with; null: none was available.',
  }),
  official_url: nullable(Type.String()),
  cadence: closedObject({
    words: nullable(Type.String()),
    hours: nullable(Type.Integer({ description: 'The usual interval between publications.' })),
  }),
  rows: Type.Integer({
    description:
      'Rows read from the snapshot in use, also unusable ones; 0: it was never read. A row with a ' +
      'holder, ' +
      'a license and a domain counts as each of these.',
  }),
  records_in_force: closedObject(
    { licenses: Type.Integer(), authorised_domains: Type.Integer(), blocklist_entries: Type.Integer() },
    { description: 'Records of the snapshot in use that license, authorise or block.' },
  ),
  last_confirmed_at: nullable(instant(), { description: 'When the rows in use were last confirmed.' }),
  last_changed_at: nullable(instant(), {
    description: 'When the last snapshot with another content than the one before was taken.',
  }),
  last_probed_at: nullable(instant(), {
    description: 'When the official address was last looked at; null: never.',
  }),
  is_fetched: Type.Boolean({ description: 'Whether it is fetched automatically.' }),
  truth_state: truthState,
  state: marketState,
  hold_reasons: Type.Array(Type.String()),
  problems: Type.Array(Type.String(), {
    description: 'What was wrong at the last look at the official address, and at the last run.',
  }),
  layout_changes: Type.Array(Type.String(), {
    description: 'What its file has that the recorded layout lacks.',
  }),
  publishes: publishedFields,
  known_obstacle: knownObstacle('an official address that this service has not yet looked at'),
})
export type CoveredStream = Static<typeof coveredStream>

const half = (of: string) =>
  nullable(
    namedObject('CoveredHalf', {
      sources: Type.Integer(),
      state: marketState,
      layout: oneOf(['recorded', 'described'], {
        description: '`recorded`: the official layout of each of them was read from a file of the regulator.',
      }),
      last_confirmed_at: nullable(instant(), {
        description:
          'When the rows in use of the oldest one that was read were last confirmed; null: none was.',
      }),
    }),
    { description: `Its ${of} together; null: none is known.` },
  )

const coveredMarket = namedObject('CoveredMarket', {
  market: market(),
  name: Type.String(),
  regulator: Type.String(),
  state: marketState,
  not_published: Type.Array(oneOf(publishedFieldNames, { named: 'PublishedField' }), {
    description: 'What none of its sources publishes; empty if none was read.',
  }),
  not_read: Type.Array(oneOf(publishedFieldNames, { named: 'PublishedField' }), {
    description:
      'What a source publishes and no loaded file gives: the source or its official file was not read, or ' +
      'its description leaves the field out. Empty if no source was read.',
  }),
  licensees: half('sources of licensees'),
  blocklist: half('blocklists'),
  streams: Type.Array(coveredStream),
  regimes: Type.Array(regime, { description: 'What its law allows, as `GET /v1/regimes` lists it.' }),
  known_obstacle: knownObstacle('a market without a stream'),
})
export type CoveredMarket = Static<typeof coveredMarket>

export const coverageData = closedObject({
  as_of: instant(),
  share_live: Type.Number({ description: 'Share of all markets that are `live`, from 0 to 1.' }),
  markets_with_stream: Type.Integer({ description: 'Markets with a known stream, read or not.' }),
  markets_licensing_domains: Type.Integer({
    description: 'Markets with a stream that can license a domain: a register that publishes domains.',
  }),
  rendering: closedObject(
    {
      state: oneOf(['on', 'off', 'unavailable']),
      reason: nullable(Type.String(), {
        description:
          '`off`; `no_worker`: none reported lately; `not_found`: no Chromium; ' +
          '`too_old`; `no_sandbox`: its sandbox does not work; `not_safe`: a page would leave past its ' +
          'proxy; `does_not_start`. Null when on.',
      }),
    },
    { description: 'Whether checks see sites as a browser shows them.' },
  ),
  markets: Type.Array(coveredMarket, { description: 'Every market once.' }),
  history: closedObject({
    since: nullable(Type.String({ format: 'date' }), { description: 'The first recorded day.' }),
    days_recorded: Type.Integer({ description: 'Days with a record, within the last 90.' }),
    gaps: Type.Array(closedObject({ from: Type.String(), to: Type.String() }), {
      description: 'Days without a record since the first one: the service did not run.',
    }),
    periods: Type.Array(
      closedObject({ market: market(), state: marketState, from: Type.String(), to: Type.String() }),
      { description: 'Consecutive days of one state, within the last 90 days, the latest first.' },
    ),
  }),
})
export type Coverage = Static<typeof coverageData>
