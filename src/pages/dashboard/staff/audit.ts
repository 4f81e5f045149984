import type { EventList } from '../../../features/staff/index.ts'
import {
  cursorPages,
  defineTable,
  emptyState,
  facts,
  field,
  form,
  memberName,
  shortRef,
  time,
} from '../../components/index.ts'
import { type Content, html } from '../../html.ts'
import type { Page, Shown } from '../../page.ts'

const within = '/dashboard/staff/audit'
const auditFilters = [
  ['email', 'Person (e-mail)'],
  ['account', 'Account (ref)'],
  ['action', 'Action, e.g. key.created'],
] as const

const accountLink = (ref: string) =>
  html`<a href="/dashboard/staff/accounts/${encodeURIComponent(ref)}">${shortRef(ref)}</a>`

/** Writes one line each below the action, because a table within the cell would be cut off. */
const detailsOf = ({ details }: EventList['events'][number]): Content =>
  Object.entries(details).map(
    ([member, value]) => html`<p class="hint">${memberName(member)}: ${facts(value, member)}</p>`,
  )

const eventTable = defineTable<EventList, EventList['events'][number]>(
  'changes',
  ({ events: rows, before }, view) => ({
    name: 'Changes, latest first',
    columns: [
      { name: 'Time', cell: row => time(row.happened_at), key: 'happened_at' },
      {
        name: 'Who',
        cell: row => (row.email === null ? 'a command' : html`<bdi>${row.email}</bdi>`),
        key: 'email',
      },
      {
        name: 'Action',
        cell: row => html`<code>${row.action}</code>${detailsOf(row)}`,
        key: 'action',
        isFacet: true,
        facetName: action => action,
      },
      {
        name: 'Details',
        cell: () => null,
        key: 'details',
        value: row => JSON.stringify(row.details),
        isFileOnly: true,
      },
      { name: 'Object', cell: row => row.subject && shortRef(row.subject), key: 'subject' },
      { name: 'Account', cell: row => row.account_ref && accountLink(row.account_ref), key: 'account_ref' },
    ],
    rows,
    empty: Object.keys(view.input).some(name => name !== 'before')
      ? emptyState('No change matches.', html`<a href="${within}">Show all</a>`)
      : emptyState('Nothing was changed yet.', 'Changes of keys, members, credits and data appear here.'),
    pages: cursorPages(view.address, 'before', before),
  }),
)

const auditPage: Page<EventList> = {
  title: 'Audit',
  lead: 'What people and commands changed, with the time and the reason.',
  tables: [eventTable],
  body(list, view) {
    return html`${form(
      { action: within, method: 'get', submit: 'Filter', name: 'Filters' },
      auditFilters.map(([name, label]) =>
        field(view, { name, label, value: String(view.input[name] ?? '') }),
      ),
    )}
${eventTable.draw(list, view)}`
  },
}

export const auditPages: Readonly<Record<string, Shown>> = { list_audit_events: auditPage }
