import type { Security } from '../../features/passkeys/index.ts'
import { badge, emptyState, field, form, notice, passkeyPart, table, time } from '../components/index.ts'
import { type Content, html } from '../html.ts'
import type { Page, Shown, View } from '../page.ts'

const within = '/dashboard/security'

/** The script asks the browser for a passkey, puts its answer into the form and sends it. */
function addForm(security: Security, view: View): Content {
  if (!security.passkeys_work)
    return notice('plain', 'Passkeys need an address with https and a host name, or localhost.')
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

const securityPage: Page<Security> = {
  title: 'Security',
  lead: ({ email }) => html`You are signed in as <strong>${email}</strong>.`,
  body(security, view) {
    const { passkeys, sessions } = security
    return html`<section aria-labelledby="passkeys"><h2 id="passkeys">Passkeys</h2>
<p>A passkey signs you in with your device, without a mail.</p>
${
  passkeys.length === 0
    ? emptyState('No passkey yet.')
    : table({
        name: 'Passkeys',
        columns: [
          { name: 'Name', cell: row => row.name },
          { name: 'Added', cell: row => time(row.created_at) },
          { name: 'Last used', cell: row => time(row.last_used_at) },
          {
            name: 'Delete',
            isUnnamed: true,
            cell: row =>
              form({
                action: `${within}/passkeys/${encodeURIComponent(row.id)}/delete`,
                submit: 'Delete',
                tone: 'danger',
                name: `Delete passkey ${passkeys.indexOf(row) + 1}: ${row.name}`,
              }),
          },
        ],
        rows: passkeys,
      })
}${addForm(security, view)}</section>
<section aria-labelledby="sessions"><h2 id="sessions">Sessions</h2>
${table({
  name: 'Sessions',
  columns: [
    {
      name: 'Browser',
      cell: row => [row.browser ?? 'unknown', row.is_this && html` ${badge('good', 'this one')}`],
    },
    { name: 'Started', cell: row => time(row.started_at) },
    { name: 'Last used', cell: row => time(row.last_used_at) },
    {
      name: 'End',
      isUnnamed: true,
      cell: row =>
        !row.is_this &&
        form({
          action: `${within}/sessions/${row.session}/end`,
          submit: 'End',
          tone: 'danger',
          name: `End session ${sessions.indexOf(row) + 1}: ${row.browser ?? 'unknown browser'}`,
        }),
    },
  ],
  rows: sessions,
})}
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
