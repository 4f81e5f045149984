/** The page of the feeds, for people: the newest days first. The API delivers a feed in its order. */
import { findMarket } from '@baize/names'
import { registerEventTypes } from '@baize/registers/changes'
import { type Static, Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { closedObject, oneOf } from '../../core/schema.ts'
import { cursorCharactersMax } from '../paging.ts'
import { newNonce, paidFields } from '../send-request.ts'
import { type AnswerOf, defineSessionOperation, type SessionContext } from '../session-operation.ts'
import {
  type FeedName,
  feedNames,
  listMarketEntries,
  listPlatformSites,
  listRegisterChanges,
  readFeedOverview,
  readSignalDays,
  type SignalDay,
} from '../signals/index.ts'
import { type Bought, boughtOf, buy, digestOf, lookUpRoles } from './buy.ts'

/** A page of the API's feeds. Each Signal costs a credit. */
const pageRows = 20
/** The rows of a page that shows several bought pages of the API. */
const rowsShownMax = 60
const daysMax = 400

const text = Type.Optional(Type.String({ maxLength: 500 }))
const day = Type.Optional(Type.String({ format: 'date' }))
const filters = {
  feed: Type.Optional(oneOf(feedNames, { default: 'register_changes' })),
  market: text,
  platform: text,
  event_type: text,
  after: Type.Optional(Type.String({ maxLength: cursorCharactersMax })),
}

type Filters = { feed?: FeedName; market?: string; platform?: string; event_type?: string; after?: string }
type Days = { occurred_from: string; occurred_to: string }
type Signals = Static<typeof listRegisterChanges.data>

const operations = {
  register_changes: listRegisterChanges,
  market_entries: listMarketEntries,
  platform_sites: listPlatformSites,
}

/** A Signal as pages draw it. */
export type BoughtSignal = {
  signal_ref: string
  headline: string
  subject: {
    company_ref: string | null
    published_legal_name?: string | null
    brand?: string | null
    domain?: string
  }
  license?: { license_number: string | null }
  platform?: { name: string }
  change: { event_type?: string; type?: string; occurred_at: string }
  evidence: readonly { source_url: string | null }[]
}

/** Returns the Signals of all feeds that the account bought, each once. */
export async function boughtSignals(context: SessionContext): Promise<BoughtSignal[]> {
  const every = Object.values(operations).map(({ name }) =>
    boughtOf<{ signals: BoughtSignal[] }>(context, name, { prefix: '' }),
  )
  const signals = (await Promise.all(every)).flat().flatMap(({ response }) => response.signals)
  return [...new Map(signals.map(each => [each.signal_ref, each])).values()]
}

export const showFeeds = defineSessionOperation({
  name: 'show_feeds',
  method: 'GET',
  path: '/dashboard/feeds',
  access: lookUpRoles,
  summary: 'The feeds by day, the newest first, with what the account bought of them',
  query: closedObject({ ...filters, until: day }),
  failures: [],
  async answer(context, { until, ...given }) {
    const { world, now } = context
    const { feed = 'register_changes', market, platform, event_type: eventType } = given
    const { feeds, streams, platforms } = await readFeedOverview(world.database, now)
    const isChosen = feed === 'platform_sites' ? platform !== undefined : market !== undefined
    const days = isChosen
      ? await readSignalDays(world, {
          feed,
          ...(feed === 'platform_sites' ? { platform } : { market }),
          eventType,
          daysMax,
        })
      : []
    const bought = await boughtPages(context, given, { days, until })
    return {
      feeds,
      streams: streams.flatMap(shownStream),
      platforms,
      event_types: [...registerEventTypes],
      is_chosen: isChosen,
      days,
      ...bought,
      nonce: newNonce(),
    }
  },
})

export type FeedOverview = AnswerOf<typeof showFeeds>

/** Returns what the account bought of the feed from the newest day on, and the days that come next. */
async function boughtPages(
  context: SessionContext,
  { after: start, ...given }: Filters,
  { days, until }: { days: readonly SignalDay[]; until: string | undefined },
) {
  const pages: Bought<Signals>[] = []
  let window = windowOf(days, until)
  let after = start
  // The Signals of the days that come next, without those that were bought.
  let left = window?.signals ?? 0
  let rows = 0
  while (window !== null && rows < rowsShownMax) {
    const subject = subjectOf({ ...given, ...(after !== undefined && { after }) }, window)
    const [page] = await boughtOf<Signals>(context, operations[given.feed ?? 'register_changes'].name, [
      subject,
    ])
    if (page === undefined) break
    const { signals, has_more: hasMore, next_cursor: cursor } = page.response
    pages.push(page)
    rows += signals.length
    after = hasMore ? (cursor ?? undefined) : undefined
    left -= signals.length
    if (after !== undefined) continue
    window = window.next === null ? null : windowOf(days, window.next)
    left = window?.signals ?? 0
  }
  const price = Math.max(1, Math.min(pageRows, left))
  return { pages, window, after: after ?? null, price, is_full: rows >= rowsShownMax }
}

/** Returns the newest days, until `until`, whose Signals fit on a page; at least one day. */
function windowOf(days: readonly SignalDay[], until = '9999-12-31') {
  const older = days.filter(each => each.day <= until)
  const [first] = older
  if (first === undefined) return null
  let signals = 0
  const fitting = older.filter(each => {
    signals += each.signals
    return each === first || signals <= pageRows
  })
  const last = fitting.at(-1) ?? first
  const sum = fitting.reduce((total, each) => total + each.signals, 0)
  return {
    occurred_from: last.day,
    occurred_to: first.day,
    signals: sum,
    next: older[fitting.length]?.day ?? null,
  }
}

function subjectOf(given: Filters, { occurred_from, occurred_to }: Days): string {
  const of = { feed: 'register_changes', ...given, occurred_from, occurred_to }
  return digestOf(Object.entries(of).toSorted())
}

export const readFeed = defineSessionOperation({
  name: 'read_feed',
  method: 'POST',
  path: '/dashboard/feeds',
  access: lookUpRoles,
  summary: 'Buy the Signals of some days of a feed',
  form: closedObject({
    ...filters,
    start: filters.after,
    occurred_from: day,
    occurred_to: day,
    until: day,
    ...paidFields,
  }),
  failures: [...listRegisterChanges.failures, 'missing_parameter', 'unknown_platform'],
  async answer(context, { max_credits, nonce, occurred_from, occurred_to, until, start, ...given }) {
    const { feed = 'register_changes', after } = given
    const all = { ...queryOf(given), occurred_from, occurred_to, after }
    const query = Object.fromEntries(
      Object.entries(all).filter((each): each is [string, string] => each[1] !== undefined),
    )
    const window = { occurred_from: occurred_from ?? '', occurred_to: occurred_to ?? '' }
    const subject = () => subjectOf(given, window)
    await buy(context, { operation: operations[feed].name, query, subject }, { max_credits, nonce })
    const { after: _, ...others } = given
    const at = { ...(until !== undefined && { until }), ...(start !== undefined && { after: start }) }
    return { filters: { ...others, ...at } }
  },
})

/** Returns the parameters of the chosen feed, because the form has the fields of all three. */
function queryOf({ feed = 'register_changes', market, platform, event_type }: Filters) {
  switch (feed) {
    case 'register_changes':
      return { jurisdiction: chosen(market, 'market'), event_type }
    case 'market_entries':
      return { role: 'operator', market: chosen(market, 'market') }
    case 'platform_sites':
      return { role: 'operator', platform: chosen(platform, 'platform') }
  }
}

function chosen(value: string | undefined, parameter: string): string {
  if (value !== undefined) return value
  throw new Failure('missing_parameter', {
    message: `Choose a ${parameter}.`,
    details: { parameter, takes: `one of the ${parameter}s of the list` },
  })
}

type Stream = Awaited<ReturnType<typeof readFeedOverview>>['streams'][number]

/** Describes a stream of a market; imported records have no market. Reasons for quarantine are for staff. */
function shownStream({
  market,
  source_stream_key: stream,
  truth_state,
  last_confirmed_at,
  is_fetched,
}: Stream) {
  const name = findMarket(market)?.name
  if (name === undefined || stream === null) return []
  return [{ market: name, stream, truth_state, last_confirmed_at, is_fetched }]
}
