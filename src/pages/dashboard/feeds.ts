import { plural } from '@baize/names'
import type { FeedOverview, LookedUp } from '../../features/look-ups/index.ts'
import {
  agedState,
  answerTable,
  ceilingOf,
  credits,
  defineTable,
  emptyState,
  field,
  form,
  hidden,
  marketField,
  number,
  sourceBadge,
  table,
  time,
} from '../components/index.ts'
import { type Html, html } from '../html.ts'
import type { Page, Shown, View } from '../page.ts'

const feedNames: Record<string, string> = {
  register_changes: 'Register changes',
  market_entries: 'Market entries',
  platform_sites: 'New sites on a platform',
}

const any = ['', 'any'] as const
const pairs = (of: readonly { key: string; name: string }[]) =>
  of.map(({ key, name }) => [key, name] as const)
const day = (name: string, label: string, view: View) => field(view, { name, label, type: 'date' })

function feedFilters(feed: string, overview: FeedOverview, view: View) {
  const market = marketField(view, { name: 'market', label: 'Market', required: true }, null)
  const event = field(view, {
    name: 'event_type',
    label: 'Kind of change',
    choices: [any, ...overview.event_types.map(each => [each, each.replaceAll('_', ' ')] as const)],
  })
  const platform = field(view, {
    name: 'platform',
    label: 'Platform',
    choices: pairs(overview.platforms),
    required: true,
  })
  const days = [day('occurred_from', 'From', view), day('occurred_to', 'To', view)]
  if (feed === 'platform_sites') return [platform, ...days]
  return feed === 'market_entries' ? [market, ...days] : [market, event, ...days]
}

const pageRows = 20

function feedForm(feed: string, overview: FeedOverview, view: View): Html {
  if (feed === 'platform_sites' && overview.platforms.length === 0)
    return emptyState('No platform is reviewed yet.', 'Its feed begins when staff have reviewed one.')
  const most = ceilingOf(view, pageRows * overview.credits_per_signal)
  return form(
    {
      action: '/dashboard/feeds',
      submit: `Read up to ${pageRows} Signals for at most ${credits(most)}`,
      isRow: true,
    },
    feedFilters(feed, overview, view),
    hidden('max_credits', most),
    hidden('feed', feed),
    hidden('nonce', overview.nonce),
  )
}

const stateOf = (row: FeedOverview['streams'][number]) => agedState(row.truth_state, row.is_fetched)

const sourceTable = defineTable<FeedOverview, FeedOverview['streams'][number]>(
  'sources',
  ({ streams: rows }) => ({
    name: 'Sources',
    columns: [
      { name: 'Market', cell: row => row.market, key: 'market' },
      { name: 'Source', cell: row => html`<code>${row.stream}</code>`, key: 'stream' },
      {
        name: 'State',
        cell: row => sourceBadge(stateOf(row)),
        key: 'state',
        value: stateOf,
        isFacet: true,
      },
      { name: 'Last confirmed', cell: row => time(row.last_confirmed_at), key: 'last_confirmed_at' },
    ],
    rows,
    empty: emptyState('No register has been read yet.', 'The feeds begin when the first one is.'),
  }),
)

const feedsPage: Page<FeedOverview> = {
  title: 'Feeds',
  tables: [sourceTable],
  lead: 'What changed in registers and on sites: each change once, in order, with its source.',
  body(overview, view) {
    const feed = view.problem?.sent.feed ?? (view.input.feed as string | undefined) ?? 'register_changes'
    const tabs = overview.feeds.map(each => {
      const current = each.feed === feed && html` aria-current="page"`
      const last = each.last_detected_at !== null && html`, last ${time(each.last_detected_at)}`
      return html`<li><a href="/dashboard/feeds?feed=${each.feed}"${current}>${feedNames[each.feed]}
<small>${number(each.signals)} ${plural(each.signals, 'Signal')}${last}</small></a></li>`
    })
    return html`<nav aria-label="Feeds" class="tabs"><ul>${tabs}</ul></nav>
<section class="card">${feedForm(feed, overview, view)}</section>
<section aria-labelledby="sources"><h2 id="sources">Sources</h2>
<p class="hint">Where a source is confirmed, no Signal means that nothing changed. Where it is stale, in
review or loaded by hand long ago, changes can be missing until it is read again.
<a href="/coverage">All sources</a></p>
${sourceTable.draw(overview, view)}</section>`
  },
}

type Signal = {
  signal_ref: string
  headline: string
  change: { event_type?: string; type?: string; occurred_at: string; detected_at: string }
}
type FeedAnswer = { signals: Signal[]; total: number; has_more: boolean; next_cursor: string | null }

const signalsPage: Page<LookedUp> = {
  title: 'Signals',
  within: '/dashboard/feeds',
  body(data, view) {
    const { signals, total, has_more: hasMore, next_cursor: cursor } = data.response as FeedAnswer
    const shown = table({
      name: 'Signals',
      columns: [
        { name: 'Occurred', cell: row => time(row.change.occurred_at) },
        {
          name: 'Change',
          cell: row => (row.change.event_type ?? row.change.type ?? '').replaceAll('_', ' '),
        },
        { name: 'Signal', cell: row => row.headline },
        { name: 'Detected', cell: row => time(row.change.detected_at) },
      ],
      rows: signals,
      empty: emptyState(
        'No Signal after this point.',
        'An empty page is free. Keep the cursor, and read on later.',
      ),
    })
    const match = plural(total, 'Signal matches', 'Signals match')
    const count = html`<p>${number(total)} ${match} the filters.</p>`
    return html`${answerTable(data, html`${count}${shown}`)}
${hasMore && cursor && nextPageForm(data, cursor, view)}<p><a href="/dashboard/feeds">Another feed</a></p>`
  },
}

/** Draws a form with the same filters that continues at the cursor. */
function nextPageForm({ nonce }: LookedUp, cursor: string, { input }: View): Html {
  const kept = Object.entries(input).filter(([name]) => !['after', 'nonce'].includes(name))
  return form(
    {
      action: '/dashboard/feeds',
      submit: `Read the next ${pageRows} (at most ${credits(Number(input.max_credits))})`,
    },
    kept.map(([name, value]) => hidden(name, String(value))),
    hidden('after', cursor),
    hidden('nonce', nonce),
  )
}

export const feedPages: Readonly<Record<string, Shown>> = {
  show_feeds: feedsPage,
  read_feed: { ...signalsPage, form: 'show_feeds' },
}
