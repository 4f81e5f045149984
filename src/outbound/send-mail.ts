import type { MailSettings } from '../core/mail-settings.ts'

const timeoutMs = 10_000

export type Mail = { to: string; subject: string; text: string }

/** Sends one mail to one address. The URL decides on TLS. Fails if the server does not accept it. */
export async function sendMail({ smtpUrl, from }: MailSettings, { to, ...mail }: Mail): Promise<void> {
  // Loaded on demand: most processes send no mail.
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    // As an object the address is not parsed: it cannot become a list.
    await transport.sendMail({ ...mail, from, to: { name: '', address: to } })
  } finally {
    transport.close()
  }
}
