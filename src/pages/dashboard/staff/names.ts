import { counted } from '@baize/names'
import type { NameList } from '../../../features/staff/index.ts'
import { defineTable, emptyState, field, form, hidden, viewOfForm } from '../../components/index.ts'
import { type Html, html } from '../../html.ts'
import type { Shown, View } from '../../page.ts'
import { marketCell } from '../domain/evidence.ts'

const within = '/dashboard/staff/names'

type Row = NameList['names'][number]

const marketsOf = ({ listed }: Row) => [...new Set(listed.map(each => each.market))]
const streamsOf = ({ listed }: Row) => [...new Set(listed.map(each => each.stream))].join(', ')

/** Each row has its own form. A problem is shown in all of them, because they have one address. */
function decision({ name }: Row, view: View): Html {
  const of = viewOfForm(view, within)
  return form(
    {
      action: within,
      submit: 'Decide',
      name: `Decide ${name}`,
      confirm: 'A person is replaced everywhere, for ever. Is it so?',
    },
    hidden('name', name),
    field(of, { name: 'kind', label: 'It is the name of', choices: kinds, required: true }),
    field(of, { name: 'reason', label: 'Why', required: true, hint: 'Without the name.' }),
  )
}

const kinds = [
  ['firm', 'a firm'],
  ['person', 'a person'],
] as const

const doubtfulTable = defineTable<NameList, Row>('doubtful', ({ names }, view) => ({
  name: 'Names in doubt',
  columns: [
    { name: 'Name', cell: row => row.name, key: 'name' },
    { name: 'Market', cell: row => marketsOf(row).map(marketCell), key: 'market', value: marketsOf },
    { name: 'Register', cell: row => html`<code>${streamsOf(row)}</code>`, key: 'streams', value: streamsOf },
    { name: 'Decision', cell: row => decision(row, view), isUnnamed: true },
  ],
  rows: names,
  empty: emptyState('No name is in doubt.'),
}))

function body(list: NameList, view: View): Html {
  const left = list.total - list.names.length
  return html`${doubtfulTable.draw(list, view)}
${left > 0 && html`<p class="hint">${counted(left, 'further name')} will follow.</p>`}`
}

const next = () => within

export const namePages: Readonly<Record<string, Shown>> = {
  list_doubtful_names: {
    title: 'Names',
    lead:
      'Names of licensees that may be those of natural persons. They are published until you decide. ' +
      'A person is replaced in all that is stored, and in later files; a firm is not shown here again.',
    tables: [doubtfulTable],
    body,
  },
  decide_name: { next, form: 'list_doubtful_names' },
}
