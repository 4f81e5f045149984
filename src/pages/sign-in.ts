import { field, form, hidden, notice, passkeyPart } from './components/index.ts'
import { cardPage } from './frame.ts'
import { type Content, type Html, html } from './html.ts'
import type { Problem } from './page.ts'

export type SignInView = {
  /** The sender of the links; null: the service has no mail server. */
  mailFrom: string | null
  /** The page of the dashboard to go on to. */
  next: string | null
  /** The address of the session, if somebody is signed in. */
  signedInAs?: string | null
  problem?: Problem | null
  /** Whether browsers can use passkeys at this address. */
  hasPasskeys?: boolean
}

/** The ways to sign in: a passkey, or a link by mail. */
export function signInPage(view: SignInView): Html {
  const { signedInAs = null, problem = null } = view
  return cardPage({
    title: 'Sign in',
    body: html`<h1>Sign in</h1>
${problem && notice('bad', problem.message)}
${
  signedInAs !== null &&
  html`<p>You are signed in as ${signedInAs}. Sensitive changes, such as of keys and members, need a sign-in
of the last 15 minutes. <a href="/dashboard">Go to the dashboard</a></p>`
}
${view.hasPasskeys && byPasskey(view)}
${mailForm(view)}`,
  })
}

const byPasskey = ({ next }: SignInView): Html =>
  passkeyPart('sign-in', '/sign-in/passkey/offer', response =>
    form(
      { action: '/sign-in/passkey', submit: 'Sign in with a passkey', tone: 'plain' },
      response,
      next !== null && hidden('next', next),
    ),
  )

function mailForm({ mailFrom, next, signedInAs = null, problem = null }: SignInView): Html {
  if (mailFrom === null) return handedOut
  return html`<p>We send a link to your e-mail address. Open it to sign in; there is no password.</p>
${form(
  { action: '/sign-in', submit: 'Send me a link' },
  field(
    { problem },
    {
      name: 'email',
      label: 'E-mail address',
      type: 'email',
      autocomplete: 'email',
      value: signedInAs,
      required: true,
    },
  ),
  next !== null && hidden('next', next),
)}`
}

const handedOut = notice(
  'plain',
  html`<p>This service sends no mail. Ask its operator for a sign-in link.</p>
<p>Operators print one with <code>npm run baize -- user link MAIL</code>.</p>`,
)

/** The same page for every address, so that nobody learns who has an account. */
export function linkSentPage({ email, mailFrom }: { email: string; mailFrom: string | null }): Html {
  if (mailFrom === null) return signInPage({ mailFrom, next: null })
  return cardPage({
    title: 'Check your mail',
    body: html`<h1>Check your mail</h1>
<p>If <b>${email}</b> has an account here, a link is on its way from ${mailFrom}. It works once, for 10
minutes.</p>
<p>Nothing after a few minutes? Look among the junk mail, or ask an owner of your account whether you were
added with this address. <a href="/sign-in">Use another address</a></p>`,
  })
}

/** Only the button signs in: mail scanners open links, but press no buttons. */
export function openLinkPage({ email, action }: { email: string; action: string }): Html {
  return cardPage({
    title: 'Sign in',
    body: html`<h1>Sign in</h1>
<p>You sign in as <b>${email}</b>.</p>
${form({ action, submit: 'Sign in' })}`,
  })
}

export function deadLinkPage(view: SignInView, message: Content): Html {
  return cardPage({
    title: 'This link does not work',
    body: html`<h1>This link does not work</h1>
${notice('bad', message)}
<h2>Get another link</h2>
${mailForm(view)}`,
  })
}

/** Of the dashboard, for somebody who is signed in and belongs to no account. */
export const noAccount = (email: string): Html =>
  notice(
    'warn',
    html`<p>${email} belongs to no account. Ask an owner of your account to add you with this address.</p>`,
  )
