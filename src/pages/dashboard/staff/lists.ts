import type { RequestList } from '../../../features/staff/index.ts'
import { badge, emptyState, field, form, pager, time, viewOfForm } from '../../components/index.ts'
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

const tabs = [
  ['open', 'Open'],
  ['ready', 'Delivered'],
  ['cancelled', 'Cancelled'],
] as const

const none: Record<string, [title: string, hint: string]> = {
  open: ['No open request.', 'Requests of the public form and of customers appear here.'],
  ready: ['No list was delivered yet.', 'Delivered lists remain here.'],
  cancelled: ['No list was cancelled.', 'Only staff see cancelled lists.'],
}

function nothing(state: string): Html {
  const [title, hint] = none[state] ?? ['No list.', '']
  return emptyState(title, hint)
}

const listsPage: Page<RequestList> = {
  title: 'List requests',
  lead: 'What customers and visitors ask for. Assign it to an account, begin, deliver the result.',
  body({ lists, after }, view) {
    const state = String(view.input.state ?? 'open')
    const links = tabs.map(([key, name]) => {
      const current = key === state && html` aria-current="page"`
      return html`<li><a href="${within}?state=${key}"${current}>${name}</a></li>`
    })
    return html`<nav aria-label="States" class="tabs"><ul>${links}</ul></nav>
${lists.length === 0 ? nothing(state) : lists.map(list => card(list, view))}
${pager({ before: null, after: after === null ? null : `${within}?state=${state}&after=${after}` })}`
  },
}

const next = () => within

export const listRequestPages: Readonly<Record<string, Shown>> = {
  list_list_requests: listsPage,
  assign_list: { next, form: 'list_list_requests' },
  prepare_list: { next, form: 'list_list_requests' },
  deliver_list: { next, form: 'list_list_requests' },
  cancel_list: { next, form: 'list_list_requests' },
}
