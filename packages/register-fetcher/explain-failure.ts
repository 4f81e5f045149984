import type { OutboundError } from '@baize/outbound'
import type { Stream } from '@baize/registers'

/** Returns the message of a failed request, with advice. */
export function explainFailure({ reason, message }: OutboundError, { key, officialUrl }: Stream): string {
  if (reason === 'bad_status' && /status (404|410)$/.test(message))
    return (
      `${message}. The file may have moved: look for it from ${officialUrl}, and give its address with ` +
      `"register watch ${key} --url"`
    )
  if (reason === 'bad_status' && /status (401|403)$/.test(message))
    return (
      `${message}. The site refuses programs or asks for a login: open it in a browser, and load the file ` +
      `with "register sync ${key}"`
    )
  if (reason === 'bad_status' && /status (429|5\d\d)$/.test(message))
    return (
      `${message}. The site is overloaded or has a fault, and is tried again. If this lasts, open ` +
      `${officialUrl} in a browser, and load the file with "register sync ${key}"`
    )
  if (reason === 'too_large')
    return (
      `${message}. No register is that large: open the address in a browser, and correct it with ` +
      `"register watch ${key} --url"`
    )
  return message
}
