import type { PlatformList } from '../../../features/staff/index.ts'
import { badge, emptyState, form, number, table, time } from '../../components/index.ts'
import { type Html, html } from '../../html.ts'
import type { Page, Shown } from '../../page.ts'

const within = '/dashboard/staff/platforms'

type Platform = PlatformList['platforms'][number]

const pathOf = ({ platform_key: key }: Platform) => `${within}/${encodeURIComponent(key)}`

function waiting(platform: Platform): Html {
  const { name, sites, evidence } = platform
  return html`<section class="card"><h2>${name}</h2>
<p>${badge('warn', 'awaits review')} Seen on ${number(sites)} sites. Publishing it makes at most
${number(sites)} Signals, dated by the first sight of each site.</p>
${
  evidence.length > 0 &&
  table({
    name: `Evidence of ${name}`,
    columns: [
      { name: 'Site', cell: row => row.domain },
      { name: 'Seen', cell: row => time(row.seen_at) },
      { name: 'Rule', cell: row => (row.rule === null ? 'imported' : html`<code>${row.rule}</code>`) },
      { name: 'Matched text', cell: row => row.snippet ?? '' },
    ],
    rows: evidence,
  })
}
${form({
  action: `${pathOf(platform)}/approve`,
  submit: `Publish ${name}`,
  name: `Publish ${name}`,
  confirm: `Customers will see ${name} and its Signals. Publish it?`,
})}</section>`
}

const platformsPage: Page<PlatformList> = {
  title: 'Platforms',
  body({ platforms }) {
    const open = platforms.filter(each => each.reviewed_at === null)
    const published = platforms.filter(each => each.reviewed_at !== null)
    return html`${
      open.length === 0
        ? emptyState('No platform awaits review.', 'Checks of sites add platforms that are new.')
        : open.map(waiting)
    }
${
  published.length > 0 &&
  html`<h2>Published</h2>${table({
    name: 'Published platforms',
    columns: [
      { name: 'Platform', cell: row => row.name },
      { name: 'Reviewed', cell: row => time(row.reviewed_at) },
      { name: 'Sites', cell: row => number(row.sites), isNumber: true },
      { name: 'Signals', cell: row => number(row.signals), isNumber: true },
      {
        name: 'Withdraw',
        isUnnamed: true,
        cell: row =>
          form({
            action: `${pathOf(row)}/withdraw`,
            submit: 'Withdraw',
            tone: 'danger',
            name: `Withdraw ${row.name}`,
            confirm: `${row.name} will be published no longer; its Signals remain. Withdraw it?`,
          }),
      },
    ],
    rows: published,
  })}`
}`
  },
}

const next = () => within

export const platformPages: Readonly<Record<string, Shown>> = {
  list_platform_readings: platformsPage,
  approve_platform: { next, form: 'list_platform_readings' },
  withdraw_platform: { next, form: 'list_platform_readings' },
}
