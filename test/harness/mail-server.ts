import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { eventually } from './eventually.ts'

type ReceivedMail = { to: string[]; from: string; text: string }

export type MailServer = {
  url: string
  mails: ReceivedMail[]
  /** Returns the link of the latest mail to an address, as a path of the service. */
  linkTo(email: string): Promise<string>
  close(): Promise<void>
}

/** Starts an SMTP server on loopback that receives mails for tests. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, { envelope }, done) => {
      void text(stream).then(raw => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        mails.push({ to: envelope.rcptTo.map(each => each.address), from, text: decoded(raw) })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  const { promise: listening, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await listening
  const { port } = server.server.address() as { port: number }
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    linkTo: email =>
      eventually(`a mail for ${email}`, async () => {
        const mail = mails.findLast(each => each.to.includes(email))
        return mail === undefined ? '' : (/\/sign-in\/\S+/.exec(mail.text)?.[0] ?? '')
      }),
    close: () => new Promise(closed => server.close(() => closed())),
  }
}

/** Decodes quoted-printable, which breaks long lines such as that of a link. */
function decoded(raw: string): string {
  if (!/^content-transfer-encoding: quoted-printable/im.test(raw)) return raw
  const unbroken = raw.replaceAll('=\r\n', '')
  return unbroken.replaceAll(/=([0-9A-F]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
}
