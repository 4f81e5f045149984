import { plural } from '@baize/names'
import type { SnapshotList } from '../../../features/staff/index.ts'
import {
  badge,
  type Column,
  defineTable,
  emptyState,
  field,
  figureList,
  fileOnly,
  form,
  memberName,
  noticeBox,
  number,
  table,
  tableLink,
  time,
  viewOfForm,
  wasSentBelow,
} from '../../components/index.ts'
import { type Content, type Html, html } from '../../html.ts'
import type { Shown, View } from '../../page.ts'

const within = '/dashboard/staff/snapshots'

type Snapshot = SnapshotList['snapshots'][number]

const snapshotPath = ({ snapshot_ref: ref }: Snapshot) => `${within}/${encodeURIComponent(ref)}`

/** Shows the result of the last decision. */
function outcomeOf({ is_open: isOpen, failure, decision, decided_by: by }: Snapshot): Content {
  if (isOpen)
    return html`<p class="progress">${decision === 'approve' ? 'Being applied' : 'Being taken back'}, as ${by}
decided. <a href="${within}">Look again</a></p>`
  return failure !== null && noticeBox('bad', failure)
}

const changeBadges = {
  added: badge('good', '+ added'),
  removed: badge('bad', '− removed'),
  changed: badge('warn', '± changed'),
}

const beforeAndAfter: Column<NonNullable<Snapshot['difference']>[number]> = {
  name: 'Before and after',
  cell: row =>
    row.fields.map(
      field => html`<p class="hint">${memberName(field.name)}: <del>${field.before ?? 'none'}</del>
<ins>${field.after ?? 'none'}</ins></p>`,
    ),
}

function differenceOf(snapshot: Snapshot): Content {
  const { difference } = snapshot
  if (difference === null || difference.length === 0) return null
  return html`<details><summary>Examples of each kind of change</summary>${table({
    name: 'Examples of what it would change',
    columns: [
      { name: 'Change', cell: row => changeBadges[row.change] },
      { name: 'Record', cell: row => [row.name, html`<p class="hint">${memberName(row.kind)}</p>`] },
      ...(difference.some(each => each.fields.length > 0) ? [beforeAndAfter] : []),
    ],
    rows: difference,
  })}</details>
${
  snapshot.has_all_differences &&
  html`<p><a href="${snapshotPath(snapshot)}/difference.csv" download>All changes as CSV</a></p>`
}`
}

function quarantined(snapshot: Snapshot, view: View): Html {
  const action = `${snapshotPath(snapshot)}/approve`
  const { added, removed, changed } = snapshot
  return html`<section class="card"><h2>${snapshot.stream}</h2>
<p>${badge('warn', '! quarantined')} taken ${time(snapshot.taken_at)},
received ${time(snapshot.received_at)}</p>
<h3>Why</h3><ul>${snapshot.hold_reasons.map(reason => html`<li>${reason}</li>`)}</ul>
<h3>What it would change</h3>${figureList([
    { name: 'Rows', value: number(snapshot.rows), hint: `${number(snapshot.rejected)} rejected` },
    { name: 'Records added', value: number(added) },
    { name: 'Records removed', value: number(removed) },
    { name: 'Records changed', value: number(changed) },
  ])}
${differenceOf(snapshot)}
${outcomeOf(snapshot)}
${
  !snapshot.is_open &&
  html`<div class="cards">${form(
    {
      action,
      submit: 'Approve and apply',
      name: `Approve ${snapshot.stream}`,
      confirm: `${number(removed)} ${plural(removed, 'record')} will be removed. Apply the snapshot?`,
    },
    field(viewOfForm(view, action), {
      name: 'reason',
      label: 'Why it is right',
      required: true,
      rows: 2,
      hint: 'Stored with the approval. The next good snapshot replaces it without a decision, too.',
    }),
  )}${endQuarantine(snapshot, view)}</div>`
}</section>`
}

function endQuarantine(snapshot: Snapshot, view: View): Html {
  const action = `${snapshotPath(snapshot)}/discard`
  return form(
    {
      action,
      submit: 'Discard it',
      tone: 'danger',
      name: `Discard the quarantined snapshot of ${snapshot.stream}`,
      confirm: 'Nothing of it is served, and the last good data stays. Discard it?',
    },
    field(viewOfForm(view, action), {
      name: 'reason',
      label: 'Why it is wrong',
      required: true,
      rows: 2,
      hint: 'Ends the quarantine. The same file is not read again when it is fetched.',
    }),
  )
}

function discardForm(snapshot: Snapshot, view: View): Content {
  const action = `${snapshotPath(snapshot)}/discard`
  if (snapshot.is_open) return outcomeOf(snapshot)
  const isSent = wasSentBelow(view, action)
  return html`<details${isSent && html` open`}><summary>Discard</summary>${outcomeOf(snapshot)}
${form(
  {
    action,
    submit: 'Take it back',
    tone: 'danger',
    name: `Discard ${snapshot.stream}`,
    confirm: 'Its facts go, and a correcting Signal follows each of its Signals. Take it back?',
  },
  field(viewOfForm(view, action), { name: 'reason', label: 'Why it was wrong', required: true }),
)}</details>`
}

const isApplied = ({ is_quarantined: isQuarantined }: Snapshot) => !isQuarantined

const appliedTable = defineTable<SnapshotList, Snapshot>('applied', ({ snapshots }, view) => ({
  name: 'Applied snapshots',
  columns: [
    { name: 'Register', cell: row => html`<code>${row.stream}</code>`, key: 'stream' },
    ...fileOnly('snapshot_ref'),
    { name: 'Taken', cell: row => time(row.taken_at), key: 'taken_at' },
    { name: 'Rows', cell: row => number(row.rows), key: 'rows', isNumber: true },
    { name: 'Signals', cell: row => number(row.signals), key: 'signals', isNumber: true },
    { name: 'Discard', cell: row => discardForm(row, view), isUnnamed: true },
  ],
  rows: snapshots.filter(isApplied),
}))

function snapshotLists(list: SnapshotList, view: View): Html {
  const { snapshots } = list
  const waiting = snapshots.filter(each => each.is_quarantined)
  const isBusy = snapshots.some(each => each.is_open)
  const here = tableLink(view.address, {})
  const again =
    isBusy && html` hx-get="${here}" hx-trigger="every 3s" hx-target="#snapshots" hx-swap="outerMorph"`
  return html`<div id="snapshots"${again}>${
    waiting.length === 0
      ? emptyState(
          'No snapshot is quarantined.',
          'One that fails its guard appears here, with what it would change.',
        )
      : waiting.map(snapshot => quarantined(snapshot, view))
  }
${
  snapshots.some(isApplied) &&
  html`<h2>Applied</h2><p>The latest of each register.</p>${appliedTable.draw(list, view)}`
}</div>`
}

const next = () => within

export const snapshotPages: Readonly<Record<string, Shown>> = {
  list_quarantined_snapshots: {
    title: 'Snapshots',
    lead: 'What failed its guard is not served until a person approves it.',
    tables: [appliedTable],
    body: snapshotLists,
    fragments: { snapshots: snapshotLists },
  },
  approve_snapshot: { next, form: 'list_quarantined_snapshots' },
  discard_snapshot: { next, form: 'list_quarantined_snapshots' },
}
