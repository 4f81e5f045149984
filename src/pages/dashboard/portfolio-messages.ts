import type { NotifiedPortfolio, ShownPortfolio } from '../../features/portfolios/index.ts'
import { facts, field, form, viewOfForm } from '../components/index.ts'
import { type Html, html } from '../html.ts'
import type { Page, View } from '../page.ts'

const within = '/dashboard/portfolios'

/** The part of a portfolio's page that sets and ends its messages. */
export function messagesPart({ name, notify }: ShownPortfolio, view: View): Html {
  const action = `${within}/${name}/notify`
  const own = viewOfForm(view, action)
  const fields = [
    field(own, {
      name: 'notify.email',
      label: 'Mail address',
      type: 'email',
      value: notify?.email?.to,
      hint: 'Of a member of the account.',
    }),
    field(own, {
      name: 'notify.url',
      label: 'URL',
      value: notify?.url?.to,
      hint: 'Receives a signed Standard Webhook.',
    }),
  ]
  const submit = notify === null ? 'Send messages' : 'Change messages'
  const end = { action, submit: 'End messages', tone: 'danger' as const, name: 'End messages' }
  return html`<section class="card" aria-labelledby="notify"><h2 id="notify">Messages</h2>
<p>At most once an hour a message says how many verdicts changed, without the sites.
<a href="/docs/portfolios#be-informed">What it contains</a></p>
${notify === null ? html`<p>Nobody is informed of changes.</p>` : facts(notify)}
${form({ action, submit, name: 'Messages' }, ...fields)}
${notify !== null && form(end)}</section>`
}

export const messagesPage: Page<NotifiedPortfolio> = {
  title: ({ name }) => `Messages of ${name}`,
  within,
  body: ({ name, informs, secret }) => html`<p class="lead">${
    informs ? 'Changes are sent from now on.' : 'No more messages are sent.'
  }</p>
${
  secret !== null &&
  html`<p>Verify messages with this secret. It is shown once: store it now.</p>
<pre><code>${secret}</code></pre>`
}
<p class="actions"><a class="button" href="${within}/${name}">Back to the portfolio</a></p>`,
}
