import { counted } from '@baize/names'
import type { BoughtSignal, FeedOverview } from '../../features/look-ups/index.ts'
import {
  agedState,
  badge,
  boughtNote,
  companyPath,
  defineTable,
  domainLink,
  emptyState,
  field,
  form,
  hidden,
  marketField,
  number,
  offerForm,
  pager,
  sourceBadge,
  time,
  webLink,
} from '../components/index.ts'
import { type Content, type Html, html } from '../html.ts'
import type { Page, Shown, View } from '../page.ts'

const path = '/dashboard/feeds'

const feedNames: Record<string, string> = {
  register_changes: 'Register changes',
  market_entries: 'Market entries',
  platform_sites: 'New sites on a platform',
}

const any = ['', 'any'] as const
const pairs = (of: readonly { key: string; name: string }[]) =>
  of.map(({ key, name }) => [key, name] as const)

type Given = Record<string, string>

const givenOf = ({ input }: View): Given =>
  Object.fromEntries(
    Object.entries(input)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  )

const addressOf = (given: Given) => `${path}?${new URLSearchParams(given)}`

function filters(feed: string, overview: FeedOverview, view: View): Html {
  const given = givenOf(view)
  const market = marketField(view, { name: 'market', label: 'Market', value: given.market ?? null }, '')
  const event = field(view, {
    name: 'event_type',
    label: 'Kind of change',
    value: given.event_type ?? '',
    choices: [any, ...overview.event_types.map(each => [each, each.replaceAll('_', ' ')] as const)],
  })
  const platform = field(view, {
    name: 'platform',
    label: 'Platform',
    value: given.platform ?? '',
    choices: [['', ''], ...pairs(overview.platforms)],
  })
  return form(
    { action: path, method: 'get', submit: 'Show the days', name: 'Choose' },
    feed === 'platform_sites' ? platform : feed === 'market_entries' ? market : [market, event],
    hidden('feed', feed),
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
  lead: 'What changed in registers and on sites, the newest day first. Counts are free.',
  body(overview, view) {
    const feed = givenOf(view).feed ?? 'register_changes'
    const tabs = overview.feeds.map(each => {
      const current = each.feed === feed && html` aria-current="page"`
      const last = each.last_detected_at !== null && html`, last ${time(each.last_detected_at)}`
      return html`<li><a href="${path}?feed=${each.feed}"${current}>${feedNames[each.feed]}
<small>${counted(each.signals, 'Signal')}${last}</small></a></li>`
    })
    return html`<nav aria-label="Feeds" class="tabs"><ul>${tabs}</ul></nav>
${filters(feed, overview, view)}
${daysPart(overview, view)}
<details class="card"${!overview.is_chosen && html` open`}><summary>Sources</summary>
<p class="hint">Where a source is confirmed, no Signal means that nothing changed. Where it is stale, in
review or loaded by hand long ago, changes can be missing until it is read again.
<a href="/coverage">All sources</a></p>
${sourceTable.draw(overview, view)}</details>`
  },
}

/** Shows the newest days: their Signals, if the account bought them, else how many they are. */
function daysPart(overview: FeedOverview, view: View): Content {
  const { is_chosen: isChosen, days, window, pages, after, price, is_full: isFull, nonce } = overview
  if (!isChosen) return emptyState('Choose what to follow.', 'Then you see how much changed on each day.')
  if (days.length === 0) return emptyState('No Signal yet.', 'Nothing of it changed since it is read.')
  const { after: start, ...given } = givenOf(view)
  const [newest] = pages
  const rows = pages.flatMap(({ response }) => response.signals as unknown as BoughtSignal[])
  return html`${newest && html`${boughtNote(newest, null)}${signalDays(rows)}`}
${window !== null && !isFull && offerDays()}
${
  window !== null &&
  isFull &&
  pager(addressOf({ ...given, until: window.occurred_to, ...(after !== null && { after }) }))
}
${window === null && html`<p class="hint">These are all.</p>`}`

  function offerDays(): Html {
    const { occurred_from: from = '', occurred_to: to = '', signals = 0, next = null } = window ?? {}
    const shown = days.filter(each => each.day >= from && each.day <= to)
    const fields = [
      ...Object.entries(given).map(([name, value]) => hidden(name, value)),
      start !== undefined && hidden('start', start),
      after !== null && hidden('after', after),
      hidden('occurred_from', from),
      hidden('occurred_to', to),
    ]
    const what = rows.length === 0 ? `Show these ${number(price)}` : `Show ${number(price)} more`
    const offer = { action: path, what, credits: price, nonce, isLimit: true }
    return html`<p class="count"><b>${number(signals)}</b> on ${counted(shown.length, 'day')}:
${from !== to && html`${time(from)} to `}${time(to)}</p>
<ul class="days">${shown.map(each => html`<li>${time(each.day)} <b>${number(each.signals)}</b></li>`)}</ul>
<div class="actions">${offerForm(view, offer, fields)}</div>
${
  next !== null &&
  html`<nav class="pager" aria-label="Pages"><span></span>
<a href="${addressOf({ ...given, until: next })}" rel="next">Older days →</a></nav>`
}`
  }
}

/** Draws one line for each Signal below its day, the newest day first. */
export function signalDays(signals: readonly BoughtSignal[]): Html {
  const byDay = Map.groupBy(signals, each => each.change.occurred_at.slice(0, 10))
  const days = [...byDay].toSorted(([one], [other]) => (one < other ? 1 : -1))
  return html`${days.map(
    ([day, of]) =>
      html`<section class="day"><h2>${time(day)}</h2><ul class="found">${of.map(signalLine)}</ul></section>`,
  )}`
}

function signalLine({ headline, subject, license, platform, change, evidence }: BoughtSignal): Html {
  const kind = (change.event_type ?? change.type ?? '').replaceAll('_', ' ')
  const source = evidence[0]?.source_url ?? null
  const { company_ref: ref, published_legal_name: legalName, brand, domain } = subject
  const name = legalName ?? brand ?? domain ?? headline
  const about = [license?.license_number, platform?.name].filter(each => typeof each === 'string')
  return html`<li title="${headline}">${badge(kindTone(kind), kind)}
${ref === null ? html`<b>${name}</b>` : html`<a href="${companyPath(ref)}">${name}</a>`}
<span class="hint">${about.join(', ')}${domain && domain !== name && html` ${domainLink(domain)}`}
${source && webLink(source, 'source')}</span></li>`
}

/** Returns the tone of a kind of change, so that a line shows at a glance whether something ended. */
const kindTone = (kind: string): 'good' | 'bad' | 'plain' =>
  /revoked|removed|surrendered|suspended|expired|blocked/.test(kind)
    ? 'bad'
    : /added|new|returned|entry/.test(kind)
      ? 'good'
      : 'plain'

export const feedPages: Readonly<Record<string, Shown>> = {
  show_feeds: feedsPage,
  read_feed: { next: ({ filters }: { filters: Given }) => addressOf(filters), form: 'show_feeds' },
}
