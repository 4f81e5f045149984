import type { MailSettings } from '@baize/outbound'
import { sendMail } from '@baize/outbound'
import { createLink, type LinkMail, linkMailTask, linkMinutes } from '../../features/sessions/index.ts'
import type { Task } from '../../jobs/index.ts'

const retryAfterMsDefault = 4_000

export type SignInMailOptions = {
  mail: MailSettings | null
  baseUrl: string
  now: () => Date
  retryAfterMs?: number
}

/**
 * Mails a sign-in link. Each attempt makes another link, because the queue stores no links. Unknown
 * addresses get no mail.
 */
export function mailSignInLinks(options: SignInMailOptions): Task<LinkMail> {
  const { mail, baseUrl, now, retryAfterMs = retryAfterMsDefault } = options
  return {
    ...linkMailTask,
    retryAfterMs,
    async run({ email, next }, { world: { database } }) {
      const link = await createLink(database, email, now())
      if (link === null) return
      if (mail === null) throw new Error('SMTP_URL is not set in this worker')
      const url = new URL(`${baseUrl}/sign-in/${link}`)
      if (next !== null) url.searchParams.set('next', next)
      const text = mailText(url.href)
      await sendMail(mail, { to: email, subject: 'Your link to sign in to Baize', text })
    },
  }
}

const mailText = (url: string) => `Open this link to sign in to Baize:

${url}

It works once, for ${linkMinutes} minutes.
If you did not ask for it, you need not do anything.
`
