import { type Static, Type } from 'typebox'
import { publishedFieldNames, streamKinds } from '../../core/published-fields.ts'
import { closed, instant, nullable, oneOf } from '../../core/schema.ts'
import { truthState } from '../truth-state.ts'
import { market } from '../words.ts'

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
    Type.Object({ found: Type.String(), on: Type.String({ format: 'date' }), source: Type.String() }, closed),
    { description: `What public notes say of ${of}; null: nothing.` },
  )

const coveredStream = Type.Object(
  {
    stream: Type.String(),
    kind: oneOf(streamKinds, { named: 'StreamKind' }),
    layout: oneOf(['recorded', 'described'], {
      description:
        '`recorded`: the official layout was read from a file of the regulator. `described`: it is known ' +
        'from ' +
        'documents or public code alone.',
    }),
    layout_recorded_at: day,
    official_url: nullable(Type.String()),
    cadence: Type.Object(
      {
        words: nullable(Type.String()),
        hours: nullable(Type.Integer({ description: 'The usual interval between publications.' })),
      },
      closed,
    ),
    rows: Type.Integer({
      description:
        'Rows read from the snapshot in use, also unusable ones; 0: it was never read. A row with a ' +
        'holder, ' +
        'a license and a domain counts as each of these.',
    }),
    records_in_force: Type.Object(
      { licenses: Type.Integer(), authorised_domains: Type.Integer(), blocklist_entries: Type.Integer() },
      { ...closed, description: 'Records of the snapshot in use that license, authorise or block.' },
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
  },
  { ...closed, named: 'CoveredStream' },
)
export type CoveredStream = Static<typeof coveredStream>

const coveredMarket = Type.Object(
  {
    market: market(),
    name: Type.String(),
    regulator: Type.String(),
    state: marketState,
    not_published: Type.Array(oneOf(publishedFieldNames, { named: 'PublishedField' }), {
      description: 'What none of its streams that were read publishes; empty without a stream.',
    }),
    streams: Type.Array(coveredStream),
    known_obstacle: knownObstacle('a market without a stream'),
  },
  { ...closed, named: 'CoveredMarket' },
)
export type CoveredMarket = Static<typeof coveredMarket>

export const coverageData = Type.Object(
  {
    as_of: instant(),
    share_live: Type.Number({ description: 'Share of all markets that are `live`, from 0 to 1.' }),
    markets: Type.Array(coveredMarket, { description: 'Every market of §2.2 once, and `ukraine`.' }),
    history: Type.Object(
      {
        since: nullable(Type.String({ format: 'date' }), { description: 'The first recorded day.' }),
        days_recorded: Type.Integer({ description: 'Days with a record, within the last 90.' }),
        gaps: Type.Array(Type.Object({ from: Type.String(), to: Type.String() }, closed), {
          description: 'Days without a record since the first one: the service did not run.',
        }),
        periods: Type.Array(
          Type.Object(
            { market: market(), state: marketState, from: Type.String(), to: Type.String() },
            closed,
          ),
          { description: 'Consecutive days of one state, within the last 90 days, the latest first.' },
        ),
      },
      closed,
    ),
  },
  closed,
)
export type Coverage = Static<typeof coverageData>
