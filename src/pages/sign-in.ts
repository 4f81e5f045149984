import { field, form, hidden, linkCommand, noticeBox, passkeyPart } from './components/index.ts'
import { cardPage } from './frame.ts'
import { type Content, type Html, html } from './html.ts'
import type { Problem } from './page.ts'

export type SignInView = {
  /** The sender of the links; null when the service has no mail server. */
  mailFrom: string | null
  /** The page of the dashboard that follows the sign-in. */
  next: string | null
  /** The signed-in user, and the lines that a shell needs before a command. */
  signedIn?: { email: string; commandVariables: readonly string[] } | null
  problem?: Problem | null
  /** Whether browsers can use passkeys at this address, and the user may have one. */
  hasPasskeys?: boolean
}

/** Shows the ways to sign in: a passkey, or a link by mail. */
export function signInPage(view: SignInView): Html {
  const { signedIn = null, problem = null } = view
  const title = signedIn === null ? 'Sign in' : 'Confirm that it is you'
  return cardPage({
    title,
    body: html`<h1>${title}</h1>
${problem && noticeBox('bad', problem.message)}
${signedIn !== null && whyAgain(view, signedIn.email)}
${view.hasPasskeys && byPasskey(view)}
${mailForm(view)}`,
  })
}

const whyAgain = ({ next, hasPasskeys }: SignInView, email: string): Html =>
  html`<p>You are signed in as <b>${email}</b>. Sensitive changes, such as of keys and members, need a sign-in
of the last 15 minutes. Afterwards you are back on your page with what you entered.</p>
${!hasPasskeys && html`<p class="hint">A passkey, which you add under Security, makes this quick.</p>`}
<p><a href="${next ?? '/dashboard'}">Go back without a change</a></p>`

const byPasskey = ({ next, signedIn = null }: SignInView): Html =>
  passkeyPart('sign-in', '/sign-in/passkey/offer', response =>
    form(
      {
        action: '/sign-in/passkey',
        ...(signedIn === null
          ? { submit: 'Sign in with a passkey', tone: 'plain' as const }
          : { submit: 'Confirm with a passkey' }),
      },
      response,
      next !== null && hidden('next', next),
    ),
  )

function mailForm(view: SignInView): Html {
  const { mailFrom, next, signedIn = null, problem = null } = view
  if (mailFrom === null) return pastedLinkForm(view)
  return html`<p>We send a link to your e-mail address. Open it to sign in; there is no password.</p>
${form(
  { action: '/sign-in', submit: 'Send me a link', ...(view.hasPasskeys && signedIn && { tone: 'plain' }) },
  field(
    { problem },
    {
      name: 'email',
      label: 'E-mail address',
      type: 'email',
      autocomplete: 'email',
      value: signedIn?.email,
      required: true,
    },
  ),
  next !== null && hidden('next', next),
)}`
}

function pastedLinkForm({ next, signedIn = null, problem = null }: SignInView): Html {
  return html`<p>This service sends no mail. Ask its operator for a sign-in link. This command prints one:</p>
${linkCommand(signedIn?.email ?? 'MAIL', next, signedIn?.commandVariables ?? [])}
<p>Open the link that it prints, or paste it here:</p>
${form(
  { action: '/sign-in/pasted', submit: signedIn === null ? 'Sign in' : 'Confirm' },
  field({ problem }, { name: 'link', label: 'Sign-in link', required: true, autocomplete: 'off' }),
  next !== null && hidden('next', next),
)}`
}

/** Shows the same page for every address, so that it does not reveal who has an account. */
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

/** Only the button signs in, because mail scanners open links but press no buttons. */
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
${noticeBox('bad', message)}
<h2>Get another link</h2>
${mailForm(view)}`,
  })
}

/** Shows the dashboard of a user who belongs to no account. */
export const noAccount = (email: string): Html =>
  noticeBox(
    'warn',
    html`<p>${email} belongs to no account. Ask an owner of your account to add you with this address.</p>`,
  )
