import type { MailSettings } from '../core/mail-settings.ts'
import { type Read, SettingsError, url } from './read-variable.ts'

/** An address, or a name with the address in angle brackets. */
const sender = /^(?:[^<>"@\r\n]+ )?<?[^\s<>"@]+@[^\s<>"@]+>?$/

export function mailSettings(read: Read, baseUrl: string): MailSettings | null {
  const smtpUrl = url(read, 'SMTP_URL', ['smtp:', 'smtps:'])
  const from = read('MAIL_FROM')
  if (from !== null && !sender.test(from))
    throw new SettingsError('MAIL_FROM', 'an address, or a name and <address>', from)
  if (smtpUrl === null) return null
  if (new URL(smtpUrl).hostname === '') throw new SettingsError('SMTP_URL', 'a URL with a host', '…')
  return { smtpUrl, from: from ?? `baize@${new URL(baseUrl).hostname}` }
}
