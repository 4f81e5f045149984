import type { MemberList } from '../../features/members/index.ts'
import {
  defineTable,
  field,
  fileOnly,
  form,
  linkCommand,
  time,
  viewOfForm,
  wasSentBelow,
} from '../components/index.ts'
import { type Content, html } from '../html.ts'
import type { Page, Shown, View } from '../page.ts'

const within = '/dashboard/members'

const roleChoices = [
  ['member', 'Member: data and usage'],
  ['billing', 'Billing: usage and statement'],
  ['owner', 'Owner: everything, with keys'],
] as const

type Member = MemberList['members'][number]

const roleName = (role: string) => roleChoices.find(([value]) => value === role)?.[1].split(':')[0] ?? role

/** Draws choices that need no script. Each opens a small form. */
function memberChanges(member: Member, view: View): Content {
  const path = `${within}/${encodeURIComponent(member.user_ref)}`
  const ofRole = viewOfForm(view, `${path}/role`)
  return html`<details${wasSentBelow(view, path) && html` open`}><summary>Change</summary>
${form(
  { action: `${path}/role`, submit: 'Change the role', name: `The role of ${member.email}` },
  field(ofRole, { name: 'role', label: 'Role', choices: roleChoices, value: member.role }),
)}
${form({
  action: `${path}/remove`,
  submit: member.is_you ? 'Leave this account' : `Remove ${member.email}`,
  tone: 'danger',
  name: `Remove ${member.email}`,
  confirm: `${member.email} will see nothing of this account any more. Remove?`,
})}</details>`
}

const signInHint = ({ commandVariables }: View): Content =>
  html`<p class="hint">The operator prints a sign-in link for the address MAIL with this command:</p>
${linkCommand('MAIL', '/dashboard', commandVariables)}`

const addressHint = ({ mailFrom }: View) =>
  mailFrom === null
    ? 'This service sends no mail. Its operator prints a sign-in link; the command is above.'
    : 'They sign in with a link that is sent to this address.'

const memberTable = defineTable<MemberList, Member>('members', ({ members }, view) => ({
  name: 'Members',
  columns: [
    {
      name: 'Person',
      cell: row => [row.name && html`${row.name}<br>`, html`<bdi>${row.email}</bdi>`, row.is_you && ' (you)'],
      key: 'email',
    },
    ...fileOnly('name', 'user_ref'),
    { name: 'Role', cell: row => roleName(row.role), key: 'role', isFacet: true },
    { name: 'Added', cell: row => time(row.added_at), key: 'added_at' },
    { name: 'Changes', cell: row => memberChanges(row, view), isUnnamed: true },
  ],
  rows: members,
}))

const membersPage: Page<MemberList> = {
  title: 'Members',
  lead: 'Who sees this account. A removed member sees nothing from the next page on.',
  tables: [memberTable],
  body(list, view) {
    const ofForm = viewOfForm(view, within)
    return html`${memberTable.draw(list, view)}
${view.mailFrom === null && signInHint(view)}
<section class="card" aria-labelledby="add"><h2 id="add">Add a member</h2>
${form(
  { action: within, submit: 'Add the member' },
  field(ofForm, {
    name: 'email',
    label: 'E-mail address',
    type: 'email',
    required: true,
    hint: `${addressHint(view)} An account has at most ${list.members_max} members.`,
  }),
  field(ofForm, { name: 'role', label: 'Role', choices: roleChoices }),
)}</section>`
  },
}

export const memberPages: Readonly<Record<string, Shown>> = {
  list_members: membersPage,
  add_member: { next: () => within, form: 'list_members' },
  change_role: { next: () => within, form: 'list_members' },
  remove_member: { next: () => within, form: 'list_members' },
}
