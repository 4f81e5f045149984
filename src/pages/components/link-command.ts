import type { Html } from '../html.ts'
import { copyable } from './text.ts'

/**
 * Shows the command that prints a sign-in link where the service sends no mail. No page has the link itself:
 * the person who adds an address could sign in as its owner.
 */
export function linkCommand(email: string, next: string | null, variables: readonly string[]): Html {
  const leads = next === null ? '' : ` --next ${quoted(next)}`
  const command = `npm run baize -- user link ${quoted(email)}${leads}`
  return copyable([...variables, command].join('\n'), 'command')
}

/** Quotes one word for a shell. */
const quoted = (text: string) => (/^[\w@./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)
