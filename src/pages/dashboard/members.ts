import type { MemberList } from '../../features/members/index.ts'
import { field, form, table, time } from '../components/index.ts'
import { type Content, html } from '../html.ts'
import type { Page, Shown } from '../page.ts'

const within = '/dashboard/members'

const roles = [
  ['member', 'Member: data and usage'],
  ['billing', 'Billing: usage and statement'],
  ['owner', 'Owner: everything, with keys'],
] as const

type Member = MemberList['members'][number]

const nameOf = (role: string) => roles.find(([value]) => value === role)?.[1].split(':')[0] ?? role

/** Choices that need no script: each opens its own small form. */
function changes(member: Member): Content {
  const path = `${within}/${encodeURIComponent(member.user_ref)}`
  return html`<details><summary>Change</summary>
${form(
  { action: `${path}/role`, submit: 'Change the role', name: `The role of ${member.email}` },
  html`<label>Role <select name="role">${roles.map(
    ([value, text]) =>
      html`<option value="${value}"${value === member.role && html` selected`}>${text}</option>`,
  )}</select></label>`,
)}
${form({
  action: `${path}/remove`,
  submit: member.is_you ? 'Leave this account' : `Remove ${member.email}`,
  tone: 'danger',
  name: `Remove ${member.email}`,
  confirm: `${member.email} will see nothing of this account any more. Remove?`,
})}</details>`
}

const membersPage: Page<MemberList> = {
  title: 'Members',
  lead: 'Who sees this account. A removed member sees nothing from the next page on.',
  body({ members, members_max: max }, view) {
    return html`${table({
      name: 'Members',
      columns: [
        {
          name: 'Person',
          cell: row => [
            row.name && html`${row.name}<br>`,
            html`<bdi>${row.email}</bdi>`,
            row.is_you && ' (you)',
          ],
        },
        { name: 'Role', cell: row => nameOf(row.role) },
        { name: 'Added', cell: row => time(row.added_at) },
        { name: 'Changes', cell: row => changes(row), isUnnamed: true },
      ],
      rows: members,
    })}
<section class="card" aria-labelledby="add"><h2 id="add">Add a member</h2>
${form(
  { action: within, submit: 'Add the member' },
  field(view, {
    name: 'email',
    label: 'E-mail address',
    type: 'email',
    required: true,
    hint: `They sign in with a link that is sent to this address. An account has at most ${max} members.`,
  }),
  field(view, { name: 'role', label: 'Role', choices: roles }),
)}</section>`
  },
}

export const memberPages: Readonly<Record<string, Shown>> = {
  list_members: membersPage,
  add_member: { next: () => within, form: 'list_members' },
  change_role: { next: () => within, form: 'list_members' },
  remove_member: { next: () => within, form: 'list_members' },
}
