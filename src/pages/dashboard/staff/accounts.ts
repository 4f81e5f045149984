import type { AccountList, StaffAccount } from '../../../features/staff/index.ts'
import {
  badge,
  emptyState,
  field,
  figures,
  form,
  hidden,
  notice,
  number,
  pager,
  table,
  time,
  viewOfForm,
} from '../../components/index.ts'
import { type Html, html } from '../../html.ts'
import type { Page, Shown, View } from '../../page.ts'

const within = '/dashboard/staff/accounts'
const pathOf = (ref: string) => `${within}/${encodeURIComponent(ref)}`

const listPage: Page<AccountList> = {
  title: 'Accounts',
  lead: 'Customers with their balance, plan and people.',
  body({ accounts, before, mail_failures: failures }, view) {
    const words = typeof view.input.q === 'string' ? view.input.q : ''
    const more = new URLSearchParams({ ...(words === '' ? {} : { q: words }), before: String(before) })
    return html`${failures && mailNotice(failures)}${form(
      { action: within, method: 'get', submit: 'Search', name: 'Search' },
      field(view, { name: 'q', label: 'Name or ref', value: words }),
    )}
${
  accounts.length === 0
    ? emptyState('No account matches.', 'The command account create adds one.')
    : table({
        name: 'Accounts',
        columns: [
          {
            name: 'Account',
            cell: row => html`<a href="${pathOf(row.account_ref)}">${row.name}</a>
<p class="hint">${row.account_ref}</p>`,
          },
          { name: 'Plan', cell: row => row.plan },
          {
            name: 'Balance',
            cell: row => (row.granted === null ? 'no quota' : number(row.granted - row.used)),
            isNumber: true,
          },
          { name: 'Reserved', cell: row => number(row.reserved), isNumber: true },
          { name: 'Members', cell: row => number(row.members), isNumber: true },
        ],
        rows: accounts,
      })
}
${pager({ before: null, after: before === null ? null : `${within}?${more}` })}`
  },
}

const mailNotice = ({ failed, retrying, last_error: error }: NonNullable<AccountList['mail_failures']>) =>
  notice(
    'bad',
    html`<p>Sign-in mails do not arrive: ${number(failed)} failed, ${number(retrying)} are tried again. People
cannot sign in by mail until the mail server takes them.</p><p>Last error: <code>${error}</code></p>`,
  )

const plans = ['free', 'starter', 'growth'].map(each => [each, each] as const)

function changes(account: StaffAccount, view: View): Html {
  const [grant, plan] = [`${pathOf(account.account_ref)}/grants`, `${pathOf(account.account_ref)}/plan`]
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

const accountPage: Page<StaffAccount> = {
  title: ({ name }) => name,
  within,
  body(account, view) {
    const { members, keys, plan_changes: planChanges } = account
    const balance = account.granted === null ? 'no quota' : number(account.granted - account.used)
    return html`<p><code>${account.account_ref}</code> ${badge('plain', `plan ${account.plan}`)}</p>
${figures([
  { name: 'Balance', value: balance },
  { name: 'Used', value: number(account.used) },
  { name: 'Reserved', value: number(account.reserved) },
])}
${changes(account, view)}
<h2>Members</h2>${
      members.length === 0
        ? emptyState('No member.', 'The command user add adds one.')
        : table({
            name: 'Members',
            columns: [
              { name: 'E-mail', cell: row => html`<bdi>${row.email}</bdi>` },
              { name: 'Role', cell: row => row.role },
            ],
            rows: members,
          })
    }
<h2>Keys</h2>${
      keys.length === 0
        ? emptyState('No key.')
        : table({
            name: 'Keys',
            columns: [
              {
                name: 'Key',
                cell: row => html`${row.name ?? 'without a name'} <code>…${row.last_four}</code>`,
              },
              { name: 'Created', cell: row => time(row.created_at) },
              { name: 'Last used', cell: row => time(row.last_used_at) },
              { name: 'Deleted', cell: row => (row.revoked_at === null ? '' : time(row.revoked_at)) },
            ],
            rows: keys,
          })
    }
${planChanges.length > 0 && html`<h2>Plan changes</h2>${planTable(planChanges)}`}`
  },
}

const planTable = (rows: StaffAccount['plan_changes']) =>
  table({
    name: 'Plan changes',
    columns: [
      { name: 'Time', cell: row => time(row.changed_at) },
      { name: 'Before', cell: row => row.plan_before },
      { name: 'After', cell: row => row.plan_after },
      { name: 'Reason', cell: row => row.reason },
    ],
    rows,
  })

const toAccount = ({ account_ref: ref }: { account_ref: string }) => pathOf(ref)

export const accountPages: Readonly<Record<string, Shown>> = {
  list_all_accounts: listPage,
  show_account_for_staff: accountPage,
  grant_credits: { next: toAccount, form: 'show_account_for_staff' },
  change_plan: { next: toAccount, form: 'show_account_for_staff' },
}
