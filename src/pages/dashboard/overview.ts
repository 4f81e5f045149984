import type { Overview } from '../../features/account/index.ts'
import { copyable, emptyState, figures, number, statusBadge, table, time } from '../components/index.ts'
import { type Html, html } from '../html.ts'
import type { Page, View } from '../page.ts'

export const overviewPage: Page<Overview> = {
  title: 'Overview',
  body: (overview, view) => html`${balance(overview)}
<section aria-labelledby="try"><h2 id="try">Send a request</h2>${curl(overview, view)}</section>
<section aria-labelledby="last"><h2 id="last">Last requests</h2>${last(overview)}</section>`,
}

const lasts = (days: number) => (days > 730 ? 'more than two years' : `${number(days)} days`)

function balance({ account, spend_days: days, credits_spent: spent, days_left: left }: Overview): Html {
  const hasQuota = account.credits_granted !== null
  return figures([
    hasQuota
      ? { name: 'Available', value: number(account.available_credits), unit: 'credits' }
      : { name: 'Available', value: 'no quota' },
    {
      name: `Spent in ${days} days`,
      value: number(spent),
      ...(left === null ? {} : { hint: `At this rate the balance lasts ${lasts(left)}.` }),
    },
    { name: 'Used in all', value: number(account.credits_used) },
    { name: 'Reserved', value: number(account.credits_reserved), hint: 'For running exports and checks.' },
    ...(hasQuota ? [{ name: 'Granted', value: number(account.credits_granted ?? 0) }] : []),
  ])
}

function curl({ key }: Overview, view: View): Html {
  const command = copyable(`curl -H 'X-API-Key: YOUR_KEY' '${view.baseUrl}/v1/account'`, 'curl command')
  if (key !== null)
    return html`<p>With a key, such as “${key.name ?? 'without a name'}” <code>…${key.last_four}</code>:</p>
${command}`
  return view.may('list_keys')
    ? html`<p>The account has no key yet. <a href="/dashboard/keys">Create one</a>, then:</p>${command}`
    : command
}

function last({ requests }: Overview): Html {
  if (requests.length === 0)
    return emptyState('No request yet.', 'Requests of programs and of the explorer appear here.')
  return table({
    name: 'Last requests',
    columns: [
      { name: 'Time', cell: row => time(row.requested_at) },
      { name: 'Endpoint', cell: row => html`<code>${row.endpoint}</code>` },
      { name: 'Status', cell: row => statusBadge(row.status) },
      { name: 'Credits', cell: row => number(row.credits), isNumber: true },
    ],
    rows: requests,
  })
}
