import type { Security } from '../../features/passkeys/index.ts'
import {
  badge,
  defineTable,
  emptyState,
  field,
  form,
  noticeBox,
  passkeyPart,
  time,
} from '../components/index.ts'
import { type Content, html } from '../html.ts'
import type { Page, Shown, View } from '../page.ts'

const within = '/dashboard/security'

/** The script asks the browser for a passkey, puts the answer into the form and sends it. */
function addForm(security: Security, view: View): Content {
  if (!security.passkeys_work)
    return noticeBox('plain', 'Passkeys need an address with https and a host name, or localhost.')
  const part = passkeyPart('register', `${within}/passkeys/offer`, response =>
    form(
      { action: `${within}/passkeys`, submit: 'Add a passkey', name: 'Add a passkey' },
      field(view, { name: 'name', label: 'Name', value: 'This device', required: true }),
      response,
    ),
  )
  return html`${part}
<noscript><p>Passkeys need JavaScript. Links by mail work without.</p></noscript>`
}

const passkeyTable = defineTable<Security, Security['passkeys'][number]>(
  'passkeys',
  ({ passkeys: rows }) => ({
    name: 'Passkeys',
    columns: [
      { name: 'Name', cell: row => row.name, key: 'name' },
      { name: 'Added', cell: row => time(row.created_at), key: 'created_at' },
      { name: 'Last used', cell: row => time(row.last_used_at), key: 'last_used_at' },
      {
        name: 'Delete',
        isUnnamed: true,
        cell: row =>
          form({
            action: `${within}/passkeys/${encodeURIComponent(row.id)}/delete`,
            submit: 'Delete',
            tone: 'danger',
            name: `Delete passkey ${rows.indexOf(row) + 1}: ${row.name}`,
          }),
      },
    ],
    rows,
    empty: emptyState('No passkey yet.'),
  }),
)

const sessionTable = defineTable<Security, Security['sessions'][number]>(
  'sessions',
  ({ sessions: rows }) => ({
    name: 'Sessions',
    columns: [
      {
        name: 'Browser',
        cell: row => [row.browser ?? 'unknown', row.is_this && html` ${badge('good', 'this one')}`],
        key: 'browser',
      },
      { name: 'Started', cell: row => time(row.started_at), key: 'started_at' },
      { name: 'Last used', cell: row => time(row.last_used_at), key: 'last_used_at' },
      {
        name: 'End',
        isUnnamed: true,
        cell: row =>
          !row.is_this &&
          form({
            action: `${within}/sessions/${row.session}/end`,
            submit: 'End',
            tone: 'danger',
            name: `End session ${rows.indexOf(row) + 1}: ${row.browser ?? 'unknown browser'}`,
          }),
      },
    ],
    rows,
  }),
)

const securityPage: Page<Security> = {
  title: 'Security',
  tables: [passkeyTable, sessionTable],
  lead: ({ email }) => html`You are signed in as <strong>${email}</strong>.`,
  body(security, view) {
    const { sessions } = security
    return html`<section aria-labelledby="passkeys"><h2 id="passkeys">Passkeys</h2>
<p>A passkey signs you in with your device, without a mail.</p>
${passkeyTable.draw(security, view)}${addForm(security, view)}</section>
<section aria-labelledby="sessions"><h2 id="sessions">Sessions</h2>
${sessionTable.draw(security, view)}
${sessions.length > 1 && signOutElsewhere}
</section>`
  },
}

const signOutElsewhere = form({
  action: `${within}/sessions/end`,
  submit: 'Sign out everywhere else',
  tone: 'plain',
})

export const securityPages: Readonly<Record<string, Shown>> = {
  show_security: securityPage,
  add_passkey: { next: () => within, form: 'show_security' },
  delete_passkey: { next: () => within, form: 'show_security' },
  end_other_sessions: { next: () => within },
  end_session: { next: () => within, form: 'show_security' },
}
