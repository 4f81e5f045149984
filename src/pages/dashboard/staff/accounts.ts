import type { AccountList, StaffAccount } from '../../../features/staff/index.ts'
import {
  badge,
  cursorPages,
  defineTable,
  emptyState,
  field,
  figureList,
  fileOnly,
  form,
  hidden,
  noticeBox,
  number,
  time,
  viewOfForm,
} from '../../components/index.ts'
import { type Html, html } from '../../html.ts'
import type { Page, Shown, View } from '../../page.ts'

const within = '/dashboard/staff/accounts'
const accountPath = (ref: string) => `${within}/${encodeURIComponent(ref)}`

const accountTable = defineTable<AccountList, AccountList['accounts'][number]>(
  'accounts',
  ({ accounts: rows, before }, view) => ({
    name: 'Accounts',
    columns: [
      {
        name: 'Account',
        cell: row => html`<a href="${accountPath(row.account_ref)}">${row.name}</a>
<p class="hint">${row.account_ref}</p>`,
        key: 'name',
      },
      ...fileOnly('account_ref'),
      { name: 'Plan', cell: row => row.plan, key: 'plan', isFacet: true },
      {
        name: 'Balance',
        cell: balanceOf,
        key: 'balance',
        value: ({ granted, used }) => (granted === null ? null : granted - used),
        isNumber: true,
      },
      { name: 'Reserved', cell: row => number(row.reserved), key: 'reserved', isNumber: true },
      { name: 'Members', cell: row => number(row.members), key: 'members', isNumber: true },
    ],
    rows,
    empty: emptyState('No account matches.', 'The command account create adds one.'),
    pages: cursorPages(view.address, 'before', before),
  }),
)

const listPage: Page<AccountList> = {
  title: 'Accounts',
  lead: 'Customers with their balance, plan and people.',
  tables: [accountTable],
  body(list, view) {
    const { mail_failures: failures } = list
    const words = typeof view.input.q === 'string' ? view.input.q : ''
    return html`${failures && mailNotice(failures)}${form(
      { action: within, method: 'get', submit: 'Search', name: 'Search' },
      field(view, { name: 'q', label: 'Name or ref', value: words }),
    )}
${accountTable.draw(list, view)}`
  },
}

const balanceOf = ({ granted, used }: { granted: number | null; used: number }): string =>
  granted === null ? 'no quota' : number(granted - used)

const mailNotice = ({ failed, retrying, last_error: error }: NonNullable<AccountList['mail_failures']>) =>
  noticeBox(
    'bad',
    html`<p>Sign-in mails do not arrive: ${number(failed)} failed, ${number(retrying)} are tried again. People
cannot sign in by mail until the mail server takes them.</p><p>Last error: <code>${error}</code></p>`,
  )

const plans = ['free', 'starter', 'growth'].map(each => [each, each] as const)

function accountChanges(account: StaffAccount, view: View): Html {
  const [grant, plan] = [
    `${accountPath(account.account_ref)}/grants`,
    `${accountPath(account.account_ref)}/plan`,
  ]
  const [ofGrant, ofPlan] = [viewOfForm(view, grant), viewOfForm(view, plan)]
  return html`<div class="cards"><section class="card"><h2>Grant credits</h2>
${form(
  { action: grant, submit: 'Grant', name: 'Grant credits' },
  field(ofGrant, { name: 'credits', label: 'Credits', type: 'number', required: true }),
  field(ofGrant, {
    name: 'note',
    label: 'Note',
    required: true,
    hint: 'Shown in the customer’s statement, e.g. the invoice.',
  }),
  hidden('nonce', account.nonce),
)}</section>
<section class="card"><h2>Change the plan</h2>
${form(
  { action: plan, submit: 'Change the plan', name: 'Change the plan' },
  field(ofPlan, { name: 'plan', label: 'Plan', choices: plans, value: account.plan }),
  field(ofPlan, { name: 'reason', label: 'Reason', required: true }),
)}</section></div>`
}

const memberTable = defineTable<StaffAccount, StaffAccount['members'][number]>(
  'members',
  ({ members: rows }) => ({
    name: 'Members',
    columns: [
      { name: 'E-mail', cell: row => html`<bdi>${row.email}</bdi>`, key: 'email' },
      { name: 'Role', cell: row => row.role, key: 'role', isFacet: true },
    ],
    rows,
    empty: emptyState('No member.', 'The command user add adds one.'),
  }),
)

const keyTable = defineTable<StaffAccount, StaffAccount['keys'][number]>('keys', ({ keys: rows }) => ({
  name: 'Keys',
  columns: [
    {
      name: 'Key',
      cell: row => html`${row.name ?? 'without a name'} <code>…${row.last_four}</code>`,
      key: 'name',
    },
    { name: 'Created', cell: row => time(row.created_at), key: 'created_at' },
    { name: 'Last used', cell: row => time(row.last_used_at), key: 'last_used_at' },
    {
      name: 'Deleted',
      cell: row => (row.revoked_at === null ? '' : time(row.revoked_at)),
      key: 'revoked_at',
    },
  ],
  rows,
  empty: emptyState('No key.'),
}))

const planTable = defineTable<StaffAccount, StaffAccount['plan_changes'][number]>(
  'plan-changes',
  ({ plan_changes: rows }) => ({
    name: 'Plan changes',
    columns: [
      { name: 'Time', cell: row => time(row.changed_at), key: 'changed_at' },
      { name: 'Before', cell: row => row.plan_before, key: 'plan_before' },
      { name: 'After', cell: row => row.plan_after, key: 'plan_after' },
      { name: 'Reason', cell: row => row.reason, key: 'reason' },
    ],
    rows,
  }),
)

const accountPage: Page<StaffAccount> = {
  title: ({ name }) => name,
  tables: [memberTable, keyTable, planTable],
  within,
  body(account, view) {
    const { plan_changes: planChanges } = account
    return html`<p><code>${account.account_ref}</code> ${badge('plain', `plan ${account.plan}`)}</p>
${figureList([
  { name: 'Balance', value: balanceOf(account) },
  { name: 'Used', value: number(account.used) },
  { name: 'Reserved', value: number(account.reserved) },
])}
${accountChanges(account, view)}
<h2>Members</h2>${memberTable.draw(account, view)}
<h2>Keys</h2>${keyTable.draw(account, view)}
${planChanges.length > 0 && html`<h2>Plan changes</h2>${planTable.draw(account, view)}`}`
  },
}

const toAccount = ({ account_ref: ref }: { account_ref: string }) => accountPath(ref)

export const accountPages: Readonly<Record<string, Shown>> = {
  list_all_accounts: listPage,
  show_account_for_staff: accountPage,
  grant_credits: { next: toAccount, form: 'show_account_for_staff' },
  change_plan: { next: toAccount, form: 'show_account_for_staff' },
}
