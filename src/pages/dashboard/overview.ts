import type { Overview } from '../../features/account/index.ts'
import { emptyState, figures, number, statusBadge, table, time } from '../components/index.ts'
import { html } from '../html.ts'
import type { Page } from '../page.ts'

export const overviewPage: Page<Overview> = {
  title: 'Overview',
  body: ({ account, requests }, view) => html`
${figures([
  { name: 'Available', value: number(account.available_credits), unit: 'credits' },
  { name: 'Granted', value: account.credits_granted === null ? 'no quota' : number(account.credits_granted) },
  { name: 'Used', value: number(account.credits_used) },
  { name: 'Reserved', value: number(account.credits_reserved) },
])}
<section aria-labelledby="last"><h2 id="last">Last requests</h2>
${
  requests.length === 0
    ? emptyState(
        'No request yet.',
        html`Send the first one:
<pre><code>curl -H 'X-API-Key: YOUR_KEY' '${view.baseUrl}/v1/account'</code></pre>`,
      )
    : table({
        name: 'Last requests',
        columns: [
          { name: 'Time', cell: row => time(row.requested_at) },
          { name: 'Endpoint', cell: row => html`<code>${row.endpoint}</code>` },
          { name: 'Status', cell: row => statusBadge(row.status) },
          { name: 'Credits', cell: row => number(row.credits), isNumber: true },
        ],
        rows: requests,
      })
}</section>`,
}
