import type { EventList } from '../../../features/staff/index.ts'
import {
  emptyState,
  facts,
  field,
  form,
  nameOf,
  pager,
  shortRef,
  table,
  time,
} from '../../components/index.ts'
import { type Content, html } from '../../html.ts'
import type { Page, Shown } from '../../page.ts'

const within = '/dashboard/staff/audit'
const filters = [
  ['email', 'Person (e-mail)'],
  ['account', 'Account (ref)'],
  ['action', 'Action, e.g. key.created'],
] as const

const accountOf = (ref: string) =>
  html`<a href="/dashboard/staff/accounts/${encodeURIComponent(ref)}">${shortRef(ref)}</a>`

/** One line each below the action: a table within the cell would be cut off. */
const detailsOf = ({ details }: EventList['events'][number]): Content =>
  Object.entries(details).map(
    ([member, value]) => html`<p class="hint">${nameOf(member)}: ${facts(value, member)}</p>`,
  )

const auditPage: Page<EventList> = {
  title: 'Audit',
  lead: 'What people and commands changed, with the time and the reason.',
  body({ events, before }, view) {
    const texts = Object.entries(view.input).filter(([name]) => name !== 'before')
    const kept = texts.map(([name, value]) => [name, String(value)])
    const sent = new URLSearchParams([...kept, ['before', String(before)]])
    return html`${form(
      { action: within, method: 'get', submit: 'Filter', name: 'Filters' },
      filters.map(([name, label]) => field(view, { name, label, value: String(view.input[name] ?? '') })),
    )}
${
  events.length === 0
    ? texts.length === 0
      ? emptyState('Nothing was changed yet.', 'Changes of keys, members, credits and data appear here.')
      : emptyState('No change matches.', html`<a href="${within}">Show all</a>`)
    : table({
        name: 'Changes, latest first',
        columns: [
          { name: 'Time', cell: row => time(row.happened_at) },
          { name: 'Who', cell: row => (row.email === null ? 'a command' : html`<bdi>${row.email}</bdi>`) },
          { name: 'Action', cell: row => html`<code>${row.action}</code>${detailsOf(row)}` },
          { name: 'Object', cell: row => row.subject && shortRef(row.subject) },
          { name: 'Account', cell: row => row.account_ref && accountOf(row.account_ref) },
        ],
        rows: events,
      })
}
${pager({ before: null, after: before === null ? null : `${within}?${sent}` })}`
  },
}

export const auditPages: Readonly<Record<string, Shown>> = { list_audit_events: auditPage }
