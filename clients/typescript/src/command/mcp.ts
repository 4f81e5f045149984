import { Baize } from '../index.ts'
import { Budget } from './budget.ts'
import { type Command, numberOf, UsageError } from './command.ts'
import { readLines } from './read-lines.ts'
import { lineCharactersMax, Relay } from './relay.ts'

export const mcp: Command = {
  summary: 'The tools for agents (MCP) on stdin and stdout, at the price of each call',
  usage: `[--budget N]
  --budget N            the most that all calls together may cost; then they are sent one by one`,
  options: { budget: { type: 'string' } },
  async run(args, flags) {
    if (args.length > 0) throw new UsageError('Messages are read from stdin; omit arguments.')
    const credits = numberOf(flags, 'budget')
    // It has checked the key and the URL.
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
