import type { DuplicateList } from '../../../features/staff/index.ts'
import {
  badge,
  defineTable,
  emptyState,
  facts,
  field,
  form,
  noticeBox,
  number,
  pager,
  table,
  time,
  viewOfForm,
  webLink,
} from '../../components/index.ts'
import { type Content, type Html, html } from '../../html.ts'
import type { Shown, View } from '../../page.ts'

const within = '/dashboard/staff/duplicates'

type Pair = DuplicateList['pairs'][number]
type Side = Pair['companies'][number]
const rows: readonly { name: string; member: keyof Side; total?: 'licenses_total' | 'domains_total' }[] = [
  { name: 'Company', member: 'company_ref' },
  { name: 'Names', member: 'names' },
  { name: 'Numbers', member: 'numbers' },
  { name: 'Countries', member: 'countries' },
  { name: 'Brands', member: 'brands' },
  { name: 'Groups', member: 'groups' },
  { name: 'Licenses', member: 'licenses', total: 'licenses_total' },
  { name: 'Domains', member: 'domains', total: 'domains_total' },
  { name: 'Imprints of its sites', member: 'imprints' },
  { name: 'Accounts in registers', member: 'identities' },
]

const listOf = (side: Side, member: keyof Side) => [side[member] ?? []].flat().map(String)

/** Marks the values that both Companies have. */
function valuesOf(side: Side, other: Side, { member, total }: (typeof rows)[number]): Html {
  const values = listOf(side, member)
  if (values.length === 0) return facts(null)
  const same = new Set(listOf(other, member))
  const rest = total === undefined ? 0 : side[total] - values.length
  const shown = (value: string): Content =>
    member === 'domains' ? webLink(`https://${value}`, value) : value
  return html`<ul class="words">${values.map(
    value => html`<li${same.has(value) && html` class="good"`}>${shown(value)}</li>`,
  )}${rest > 0 && html`<li>and ${number(rest)} more</li>`}</ul>`
}

function decision(pair: Pair, view: View, verb: 'merge' | 'distinct'): Html {
  const [one, other] = pair.companies as [Side, Side]
  const refs = [one, other].map(side => encodeURIComponent(side.company_ref))
  const action = `${within}/${refs.join('/')}/${verb}`
  const of = viewOfForm(view, action)
  const isMerge = verb === 'merge'
  return html`<details data-key="${isMerge ? 'm' : 'd'}"${of.problem && html` open`}>
<summary>${isMerge ? 'One party: merge' : 'Different parties'}</summary>${form(
    {
      action,
      submit: isMerge ? 'Merge' : 'Keep apart',
      ...(!isMerge && { tone: 'plain' as const }),
      name: `${isMerge ? 'Merge' : 'Keep apart'} ${titleOf(pair)}`,
      ...(isMerge && { confirm: 'Licenses, sites and people of both become those of one Company. Merge?' }),
    },
    field(of, {
      name: 'reason',
      label: 'Why',
      required: true,
      hint: isMerge
        ? `${other.company_ref} will lead to ${one.company_ref}. A split undoes it.`
        : 'Remembered: they are not listed again, and no sync links them.',
    }),
  )}</details>`
}

const titleOf = ({ companies: [one, other] }: Pair) =>
  [...new Set([one, other].map(side => side?.company_name ?? side?.company_ref))].join(' and ')

function pairCard(pair: Pair, view: View): Html {
  const [one, other] = pair.companies as [Side, Side]
  return html`<section class="card pair" data-item tabindex="-1" aria-label="${titleOf(pair)}">
<h2>${titleOf(pair)}</h2>
<p>${badge('plain', `score ${pair.score}`)} ${pair.for.map(each => html`${badge('good', `+ ${each}`)} `)}
${pair.against.map(each => html`${badge('warn', `− ${each}`)} `)}</p>
${table({
  name: `What is known of ${titleOf(pair)}`,
  columns: [
    { name: 'What', cell: row => row.name, isUnnamed: true },
    { name: 'First', cell: row => valuesOf(one, other, row) },
    { name: 'Second', cell: row => valuesOf(other, one, row) },
  ],
  rows: rows.filter(({ member }) => [one, other].some(side => listOf(side, member).length > 0)),
})}
<div class="cards">${decision(pair, view, 'merge')}${decision(pair, view, 'distinct')}</div></section>`
}

type Lost = DuplicateList['lost_links'][number]

const lostTable = defineTable<DuplicateList, Lost>('lost', ({ lost_links: lost }) => ({
  name: 'Links without evidence',
  columns: [
    { name: 'Company', cell: row => row.company_name ?? row.company_ref, key: 'company_name' },
    { name: 'Account', cell: row => html`<code>${row.identity}</code>`, key: 'identity' },
    { name: 'Was linked by', cell: row => html`${facts(row.evidence)}: ${row.value}`, key: 'evidence' },
    { name: 'Gone since', cell: row => time(row.lost_at), key: 'lost_at' },
  ],
  rows: lost,
}))

function body(list: DuplicateList, view: View): Html {
  const { pairs, lost_links: lost } = list
  const at = (after: number | null) => (after === null ? null : `${within}?after=${after}`)
  const isGone = view.problem !== null && !pairs.some(({ companies }) => isAbout(view, companies))
  return html`${isGone && noticeBox('warn', 'The pair of that decision is not listed any more.')}
${
  pairs.length === 0
    ? emptyState('No pair awaits a decision.', 'Syncs add pairs whose likeness does not prove one party.')
    : html`<p class="hint keys">Keys: <kbd>j</kbd> next pair, <kbd>k</kbd> previous, <kbd>m</kbd> merge it,
<kbd>d</kbd> different parties.</p>${pairs.map(pair => pairCard(pair, view))}`
}${pager(at(list.after), at(list.before))}
${
  lost.length > 0 &&
  html`<section aria-labelledby="lost"><h2 id="lost">Links without evidence</h2>
<p>They stay until the evidence returns, or <code>baize company split</code> ends them.</p>
${lostTable.draw(list, view)}</section>`
}`
}

const isAbout = ({ problem }: View, companies: readonly Side[]) =>
  companies.every(({ company_ref: ref }) => problem?.action?.includes(ref))

const next = () => within

export const duplicatePages: Readonly<Record<string, Shown>> = {
  list_duplicates: {
    title: 'Duplicates',
    lead:
      'Pairs of Companies that look like one party, but share no evidence that links them. ' +
      'Values that both have begin with =.',
    tables: [lostTable],
    body,
  },
  merge_duplicates: { next, form: 'list_duplicates' },
  distinguish_duplicates: { next, form: 'list_duplicates' },
}
