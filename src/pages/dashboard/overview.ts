import type { Overview } from '../../features/account/index.ts'
import {
  copyable,
  defineTable,
  emptyState,
  figureList,
  identifierWords,
  number,
  statusBadge,
  time,
} from '../components/index.ts'
import { type Html, html } from '../html.ts'
import type { Page, View } from '../page.ts'

const lastTable = defineTable<Overview, Overview['requests'][number]>('requests', ({ requests }) => ({
  name: 'Last requests',
  columns: [
    {
      name: 'Time',
      cell: row => html`<a href="/dashboard/usage/${row.id}">${time(row.requested_at)}</a>`,
      key: 'requested_at',
    },
    { name: 'Endpoint', cell: row => identifierWords(row.endpoint), key: 'endpoint' },
    { name: 'Status', cell: row => statusBadge(row.status), key: 'status' },
    { name: 'Credits', cell: row => number(row.credits), key: 'credits', isNumber: true },
  ],
  rows: requests,
  empty: emptyState('No request yet.', 'Requests of programs and of these pages appear here.'),
  isPart: true,
}))

export const overviewPage: Page<Overview> = {
  title: 'Overview',
  tables: [lastTable],
  body: (overview, view) => html`${balance(overview)}
${view.may('search_everything') && start(overview, view)}
<section aria-labelledby="last"><h2 id="last">Last requests</h2>${lastTable.draw(overview, view)}</section>`,
}

function lasts(days: number): string {
  if (days > 730) return 'more than two years'
  return days < 1 ? 'less than a day' : days === 1 ? 'a day' : `${number(days)} days`
}

function balance({ account, spend_days: days, credits_spent: spent, days_left: left }: Overview): Html {
  const hasQuota = account.credits_granted !== null
  return figureList([
    hasQuota
      ? {
          name: 'Available',
          value: number(account.available_credits),
          unit: 'credits',
          hint:
            account.available_credits > 0
              ? left !== null && `At the present rate it lasts ${lasts(left)}.`
              : 'Paid requests are refused with 429.',
        }
      : { name: 'Available', value: 'no quota' },
    { name: `Spent in ${days} days`, value: number(spent) },
    { name: 'Used in all', value: number(account.credits_used) },
    { name: 'Reserved', value: number(account.credits_reserved), hint: 'For running exports and checks.' },
    ...(hasQuota ? [{ name: 'Granted', value: number(account.credits_granted ?? 0) }] : []),
  ])
}

/** Shows the first steps, until the account has a key and has sent a request. */
function start(overview: Overview, view: View): Html {
  const { key, requests } = overview
  const seesKeys = view.may('list_keys')
  const isNew = requests.length === 0 || (seesKeys && key === null)
  const command = copyable(`curl -H 'X-API-Key: YOUR_KEY' '${view.baseUrl}/v1/account'`, 'curl command')
  if (!isNew)
    return html`<section aria-labelledby="try"><h2 id="try">Send a request</h2>
${key && html`<p>With a key, such as ${keyName(key)}:</p>`}
${command}</section>`
  const getKey = !seesKeys
    ? 'Ask an owner of the account for a key.'
    : key === null
      ? html`<a href="/dashboard/keys">Create a key</a> for the program that will send requests.`
      : html`Take a key, such as ${keyName(key)}. It was shown once: if nobody has copied it,
<a href="/dashboard/keys">create another</a>.`
  return html`<section aria-labelledby="try"><h2 id="try">First steps</h2>
<ol>
<li>${getKey}</li>
<li>Send a request that costs nothing:${command}</li>
<li>Look at <a href="/dashboard/usage">usage</a>: each request appears there with what it cost.</li>
</ol>
<p>Without a program, <a href="/dashboard/domains">look a site up here</a>.</p></section>`
}

const keyName = ({ name, last_four }: NonNullable<Overview['key']>) =>
  html`${name === null ? 'one without a name' : html`“<bdi>${name}</bdi>”`} <code>…${last_four}</code>`
