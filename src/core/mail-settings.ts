/** The operator's mail server. */
export type MailSettings = {
  /** `smtp://` or `smtps://`, with the password. */
  smtpUrl: string
  /** The sender's address, with or without a name. */
  from: string
}
