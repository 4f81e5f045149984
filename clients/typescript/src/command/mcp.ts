import { Baize } from '../index.ts'
import { Budget } from './budget.ts'
import { type Command, numberOf, UsageError } from './command.ts'
import { lineCharactersMax, Relay } from './relay.ts'

export const mcp: Command = {
  summary: 'The tools for agents (MCP) on stdin and stdout, at the price of each call',
  usage: `[--budget N]
  --budget N            the most that all calls together may cost; then they are sent one by one`,
  options: { budget: { type: 'string' } },
  async run(args, flags) {
    if (args.length > 0) throw new UsageError('Messages are read from stdin; omit arguments.')
    const credits = numberOf(flags, 'budget')
    // The constructor has checked the key and the URL.
    const { baseUrl } = new Baize()
    const relay = new Relay({
      baseUrl,
      apiKey: process.env.BAIZE_API_KEY?.trim() ?? '',
      budget: credits === undefined ? null : new Budget(credits),
    })
    for await (const line of readLines(process.stdin, lineCharactersMax)) await relay.take(line)
    await relay.end()
    return 0
  },
}

/**
 * Returns the lines of a stream. A line longer than `charactersMax` becomes null, and its text is dropped.
 */
async function* readLines(input: NodeJS.ReadStream, charactersMax: number): AsyncGenerator<string | null> {
  let rest = ''
  let isTooLong = false
  for await (const chunk of input.setEncoding('utf8')) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      yield isTooLong || line.length > charactersMax ? null : line
      isTooLong = false
    }
    isTooLong ||= rest.length > charactersMax
    if (isTooLong) rest = ''
  }
  yield isTooLong ? null : rest
}
