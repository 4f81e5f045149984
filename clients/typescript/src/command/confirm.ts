import { createInterface } from 'node:readline/promises'
import { UsageError } from './command.ts'

/** Asks the user yes or no. Without a terminal the answer is no. */
export async function confirm(question: string, signal: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new UsageError(`${question}\nThere is no terminal to answer on: add --yes, or --max-credits N.`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  // Ctrl-C and Ctrl-D close the terminal's interface, which means no.
  const left = new Promise<string>(resolve => terminal.once('close', () => resolve('')))
  try {
    const answer = await Promise.race([terminal.question(`${question} [y/N] `, { signal }), left])
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    terminal.close()
  }
}
