import type { RequestList } from '../../../features/staff/index.ts'
import { badge, emptyState, field, form, time, viewOfForm } from '../../components/index.ts'
import { type Content, type Html, html } from '../../html.ts'
import type { Page, Shown, View } from '../../page.ts'

const within = '/dashboard/staff/lists'

type List = RequestList['lists'][number]

function requestOf({ requested_by: by }: List): Content {
  if (by === null) return html`<p class="hint">Not from a form.</p>`
  return html`<p>${by.name}, ${by.company}, <a href="mailto:${by.email}">${by.email}</a></p>
<blockquote><p>${by.request}</p></blockquote>`
}

function steps(list: List, view: View): Content {
  const path = `${within}/${encodeURIComponent(list.prospect_list_ref)}`
  const isOpen = list.status === 'requested' || list.status === 'preparing'
  const [assign, deliver] = [`${path}/assign`, `${path}/deliver`]
  return html`${
    isOpen &&
    list.account_ref === null &&
    form(
      { action: assign, submit: 'Assign', name: 'Assign the account', isRow: true },
      field(viewOfForm(view, assign), { name: 'account_ref', label: 'Account (ref)', required: true }),
    )
  }
${list.status === 'requested' && form({ action: `${path}/prepare`, submit: 'Begin', tone: 'plain' })}
${
  isOpen &&
  list.account_ref !== null &&
  form(
    { action: deliver, submit: 'Deliver', name: 'Deliver the result' },
    field(viewOfForm(view, deliver), {
      name: 'result',
      label: 'The result as JSON',
      rows: 6,
      required: true,
      hint: 'As for the command prospect-list deliver. Suppressed people are removed.',
    }),
  )
}
${
  list.status !== 'cancelled' &&
  form({
    action: `${path}/cancel`,
    submit: 'Cancel the list',
    tone: 'danger',
    confirm: 'The customer sees the list no longer, and its result is deleted. Cancel it?',
  })
}`
}

function card(list: List, view: View): Html {
  const wasSent = view.url.includes(list.prospect_list_ref) && view.problem !== null
  const account = list.account_name ?? 'no account yet'
  return html`<details class="card"${wasSent && html` open`}><summary>${time(list.requested_at)}
${badge(list.status === 'ready' ? 'good' : 'plain', list.status)} ${account}</summary>
<p><code>${list.prospect_list_ref}</code></p>
${requestOf(list)}${steps(list, view)}</details>`
}

const listsPage: Page<RequestList> = {
  title: 'List requests',
  body: ({ lists }, view) =>
    lists.length === 0
      ? emptyState('No request yet.', 'Requests of the public form and of customers appear here.')
      : lists.map(list => card(list, view)),
}

const next = () => within

export const listRequestPages: Readonly<Record<string, Shown>> = {
  list_list_requests: listsPage,
  assign_list: { next, form: 'list_list_requests' },
  prepare_list: { next, form: 'list_list_requests' },
  deliver_list: { next, form: 'list_list_requests' },
  cancel_list: { next, form: 'list_list_requests' },
}
