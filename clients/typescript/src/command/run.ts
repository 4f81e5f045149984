import { parseArgs } from 'node:util'
import { ApiError, BaizeError, version } from '../index.ts'
import { type Command, note, UsageError } from './command.ts'
import { company } from './company.ts'
import { mcp } from './mcp.ts'
import { portfolio } from './portfolio.ts'
import { receipt } from './receipt.ts'
import { usage } from './usage.ts'
import { verdict } from './verdict.ts'
import { verdicts } from './verdicts.ts'
import { watch } from './watch.ts'

const commands: Record<string, Command> = {
  verdict,
  verdicts,
  company,
  portfolio,
  watch,
  usage,
  receipt,
  mcp,
}

const help = `Usage: baize-api COMMAND

${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(10)}${summary}`)
  .join('\n')}

baize-api COMMAND --help shows its options. BAIZE_API_KEY is your key, or client_demo to try the demo world;
BAIZE_BASE_URL is the service, by default http://localhost:8080.`

/** Runs a command. Returns the exit code: 0 done, 1 failed, 2 wrong arguments, 130 interrupted. */
export async function dispatchCommand([name = '--help', ...rest]: readonly string[]): Promise<number> {
  if (name === '--version') return print(version)
  if (name === '--help' || name === 'help') return print(help)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  try {
    if (command === undefined)
      throw new UsageError(`There is no command "${name}"; there are ${Object.keys(commands).join(', ')}.`)
    const { values, positionals } = parseArgs({
      args: rest,
      options: { ...command.options, help: { type: 'boolean' } },
      allowPositionals: true,
    })
    if (values.help) return print(`Usage: baize-api ${name} ${command.usage}\n\n${command.summary}`)
    return await command.run(positionals, values)
  } catch (error) {
    return explain(error, name)
  }
}

function print(text: string): number {
  process.stdout.write(`${text}\n`)
  return 0
}

function explain(error: unknown, name: string): number {
  const { message, code } = error as NodeJS.ErrnoException
  if (error instanceof UsageError || code?.startsWith('ERR_PARSE_ARGS')) {
    note(`${message}\nbaize-api ${name} --help shows how it is used.`)
    return 2
  }
  // An error with a code comes from the system, such as a missing file.
  const isExpected = error instanceof BaizeError || code !== undefined
  note(`baize-api: ${isExpected ? message : (error as Error).stack}`)
  if (error instanceof ApiError) {
    const { preview } = error.details as { preview?: { href: string; total_count: number } }
    if (preview?.total_count) note(`Free: GET ${preview.href}`)
  }
  if (error instanceof ApiError && error.docUrl !== null) note(`See ${error.docUrl}`)
  return 1
}
