import type { PlatformList, PlatformReview } from '../../../features/staff/index.ts'
import { badge, emptyState, figures, form, number, table, time } from '../../components/index.ts'
import { type Content, type Html, html } from '../../html.ts'
import type { Page, Shown } from '../../page.ts'

const within = '/dashboard/staff/platforms'

const pathOf = ({ platform_key: key }: { platform_key: string }) => `${within}/${encodeURIComponent(key)}`
const linkOf = (row: PlatformList['platforms'][number]) => html`<a href="${pathOf(row)}">${row.name}</a>`

const platformsPage: Page<PlatformList> = {
  title: 'Platforms',
  lead: 'A platform is published, with its Signals, when a person has confirmed that its vendor is one.',
  body({ platforms }) {
    const open = platforms.filter(each => each.reviewed_at === null)
    const published = platforms.filter(each => each.reviewed_at !== null)
    return html`<section aria-labelledby="open"><h2 id="open">Awaiting review</h2>${
      open.length === 0
        ? emptyState('No platform awaits review.', 'Checks of sites add platforms that are new.')
        : table({
            name: 'Platforms that await review',
            columns: [
              { name: 'Platform', cell: linkOf },
              { name: 'Sites', cell: row => number(row.sites), isNumber: true },
            ],
            rows: open,
          })
    }</section>
${
  published.length > 0 &&
  html`<section aria-labelledby="published"><h2 id="published">Published</h2>${table({
    name: 'Published platforms',
    columns: [
      { name: 'Platform', cell: linkOf },
      { name: 'Reviewed', cell: row => time(row.reviewed_at) },
      { name: 'Sites', cell: row => number(row.sites), isNumber: true },
      { name: 'Signals', cell: row => number(row.signals), isNumber: true },
    ],
    rows: published,
  })}</section>`
}`
  },
}

const reviewPage: Page<PlatformReview> = {
  title: ({ name }) => name,
  within,
  body(review) {
    const { sites, expected, reviewed_at: reviewedAt } = review
    const isOpen = reviewedAt === null
    return html`<p>${isOpen ? badge('warn', '! awaits review') : badge('good', '✓ published')}
${!isOpen && html`since ${time(reviewedAt)}`}</p>
${figures([
  { name: 'Sites seen on it', value: number(sites) },
  { name: isOpen ? 'Signals that publishing makes' : 'Signals to come', value: number(expected.total) },
])}
${isOpen && signalsOf(review)}
<section aria-labelledby="evidence"><h2 id="evidence">Evidence</h2>${evidenceOf(review)}</section>
${isOpen ? publishForm(review) : withdrawForm(review)}`
  },
}

function signalsOf({ expected: { signals, total } }: PlatformReview): Html {
  const rest = total - signals.length
  return html`<section aria-labelledby="signals"><h2 id="signals">Signals that publishing makes</h2>
<p class="hint">One for each site of a known operator, dated by its first sight.</p>${
    signals.length === 0
      ? emptyState('None.', 'No site of it belongs to an operator that is known.')
      : table({
          name: 'Signals that publishing makes',
          columns: [
            { name: 'Occurred', cell: row => time(row.occurred_at) },
            { name: 'Signal', cell: row => row.headline },
          ],
          rows: signals,
        })
  }${rest > 0 && html`<p class="hint">And ${number(rest)} more.</p>`}</section>`
}

function evidenceOf({ evidence, sites }: PlatformReview): Content {
  if (evidence.length === 0) return emptyState('No site was seen on it.')
  const rest = sites - evidence.length
  return html`${table({
    name: 'Evidence',
    columns: [
      { name: 'Site', cell: row => row.domain },
      { name: 'Last seen', cell: row => time(row.seen_at) },
      { name: 'Rule', cell: row => (row.rule === null ? 'imported' : html`<code>${row.rule}</code>`) },
      { name: 'Matched text', cell: row => row.snippet ?? html`<span class="none">none</span>` },
    ],
    rows: evidence,
  })}${rest > 0 && html`<p class="hint">And ${number(rest)} more sites.</p>`}`
}

const publishForm = (review: PlatformReview) =>
  form({
    action: `${pathOf(review)}/approve`,
    submit: `Publish ${review.name}`,
    name: `Publish ${review.name}`,
    confirm: `Customers will see ${review.name} and its Signals. Publish it?`,
  })

const withdrawForm = (review: PlatformReview) =>
  form({
    action: `${pathOf(review)}/withdraw`,
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
