/** The operator's mail server. */
export type MailSettings = {
  /** The URL `smtp://` or `smtps://`, with the password. */
  smtpUrl: string
  /** The sender's address, with or without a name. */
  from: string
}

const timeoutMs = 10_000

export type Mail = { to: string; subject: string; text: string }

/** Sends one mail to one address. The URL decides on TLS. Fails if the server does not accept it. */
export async function sendMail({ smtpUrl, from }: MailSettings, { to, ...mail }: Mail): Promise<void> {
  // The library is loaded on demand, because most processes send no mail.
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
    // The address is an object, so it is not parsed and cannot become a list.
    await transport.sendMail({ ...mail, from, to: { name: '', address: to } })
  } finally {
    transport.close()
  }
}
