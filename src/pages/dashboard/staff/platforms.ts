import { plural } from '@baize/names'
import type { PlatformList, PlatformReview } from '../../../features/staff/index.ts'
import { badge, defineTable, emptyState, figureList, form, number, time } from '../../components/index.ts'
import { type Content, type Html, html } from '../../html.ts'
import type { Page, Shown, View } from '../../page.ts'

const within = '/dashboard/staff/platforms'

const platformPath = ({ platform_key: key }: { platform_key: string }) =>
  `${within}/${encodeURIComponent(key)}`
const platformLink = (row: PlatformList['platforms'][number]) =>
  html`<a href="${platformPath(row)}">${row.name}</a>`

type Platform = PlatformList['platforms'][number]

const openTable = defineTable<PlatformList, Platform>('open', ({ platforms }) => ({
  name: 'Platforms that await review',
  columns: [
    { name: 'Platform', cell: platformLink, key: 'name' },
    { name: 'Sites', cell: row => number(row.sites), key: 'sites', isNumber: true },
  ],
  rows: platforms.filter(each => each.reviewed_at === null),
  empty: emptyState('No platform awaits review.', 'Checks of sites add platforms that are new.'),
}))

const publishedTable = defineTable<PlatformList, Platform>('published', ({ platforms }) => ({
  name: 'Published platforms',
  columns: [
    { name: 'Platform', cell: platformLink, key: 'name' },
    { name: 'Reviewed', cell: row => time(row.reviewed_at), key: 'reviewed_at' },
    { name: 'Sites', cell: row => number(row.sites), key: 'sites', isNumber: true },
    { name: 'Signals', cell: row => number(row.signals), key: 'signals', isNumber: true },
  ],
  rows: platforms.filter(each => each.reviewed_at !== null),
}))

const platformsPage: Page<PlatformList> = {
  title: 'Platforms',
  lead: 'A platform is published, with its Signals, when a person has confirmed that its vendor is one.',
  tables: [openTable, publishedTable],
  body(list, view) {
    const isPublished = list.platforms.some(each => each.reviewed_at !== null)
    return html`<section aria-labelledby="open"><h2 id="open">Awaiting review</h2>
${openTable.draw(list, view)}</section>
${
  isPublished &&
  html`<section aria-labelledby="published"><h2 id="published">Published</h2>
${publishedTable.draw(list, view)}</section>`
}`
  },
}

const evidenceTable = defineTable<PlatformReview, PlatformReview['evidence'][number]>(
  'evidence',
  ({ evidence: rows, sites }) => ({
    name: 'Evidence',
    columns: [
      { name: 'Site', cell: row => row.domain, key: 'domain' },
      { name: 'Last seen', cell: row => time(row.seen_at), key: 'seen_at' },
      {
        name: 'Rule',
        cell: row => (row.rule === null ? 'imported' : html`<code>${row.rule}</code>`),
        key: 'rule',
      },
      {
        name: 'Matched text',
        cell: row => row.snippet ?? html`<span class="none">none</span>`,
        key: 'snippet',
      },
    ],
    rows,
    isPart: sites > rows.length,
    empty: emptyState('No site was seen on it.'),
  }),
)

const signalTable = defineTable<PlatformReview, PlatformReview['expected']['signals'][number]>(
  'signals',
  ({ expected: { signals: rows, total } }) => ({
    name: 'Signals that publishing makes',
    columns: [
      { name: 'Occurred', cell: row => time(row.occurred_at), key: 'occurred_at' },
      { name: 'Signal', cell: row => row.headline, key: 'headline' },
    ],
    rows,
    isPart: total > rows.length,
    empty: emptyState('None.', 'No site of it belongs to an operator that is known.'),
  }),
)

const reviewPage: Page<PlatformReview> = {
  title: ({ name }) => name,
  tables: [evidenceTable, signalTable],
  within,
  body(review, view) {
    const { sites, expected, reviewed_at: reviewedAt } = review
    const isOpen = reviewedAt === null
    return html`<p>${isOpen ? badge('warn', '! awaits review') : badge('good', '✓ published')}
${!isOpen && html`since ${time(reviewedAt)}`}</p>
${figureList([
  { name: 'Sites seen on it', value: number(sites) },
  { name: isOpen ? 'Signals that publishing makes' : 'Signals to come', value: number(expected.total) },
])}
${isOpen && signalsOf(review, view)}
<section aria-labelledby="evidence"><h2 id="evidence">Evidence</h2>${evidenceOf(review, view)}</section>
${isOpen ? publishForm(review) : withdrawForm(review)}`
  },
}

function signalsOf(review: PlatformReview, view: View): Html {
  const rest = review.expected.total - review.expected.signals.length
  return html`<section aria-labelledby="signals"><h2 id="signals">Signals that publishing makes</h2>
<p class="hint">One for each site of a known operator, dated by its first sight.</p>
${signalTable.draw(review, view)}${rest > 0 && html`<p class="hint">And ${number(rest)} more.</p>`}</section>`
}

function evidenceOf(review: PlatformReview, view: View): Content {
  const rest = review.sites - review.evidence.length
  return html`${evidenceTable.draw(review, view)}${
    rest > 0 && html`<p class="hint">And ${number(rest)} more ${plural(rest, 'site')}.</p>`
  }`
}

const publishForm = (review: PlatformReview) =>
  form({
    action: `${platformPath(review)}/approve`,
    submit: `Publish ${review.name}`,
    name: `Publish ${review.name}`,
    confirm: `Customers will see ${review.name} and its Signals. Publish it?`,
  })

const withdrawForm = (review: PlatformReview) =>
  form({
    action: `${platformPath(review)}/withdraw`,
    submit: `Withdraw ${review.name}`,
    tone: 'danger',
    name: `Withdraw ${review.name}`,
    confirm: `${review.name} will be published no longer; its Signals remain. Withdraw it?`,
  })

const next = () => within

export const platformPages: Readonly<Record<string, Shown>> = {
  list_platform_readings: platformsPage,
  show_platform_review: reviewPage,
  approve_platform: { next, form: 'show_platform_review' },
  withdraw_platform: { next, form: 'show_platform_review' },
}
