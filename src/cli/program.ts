import { terminalText } from '@baize/names'
import { type Out, openOutput } from '@baize/terminal'
import { Command, CommanderError } from 'commander'
import { readVersion } from '../core/version.ts'
import { operatorMessage } from '../instance/index.ts'

type Declare = (program: Command, out: Out) => void

/**
 * The module that declares each command, by the first word of the command line. A process loads only the
 * module that it needs. An unknown word and `--help` load all modules.
 */
const declarations: { words: readonly string[]; load(): Promise<Declare> }[] = [
  {
    words: ['serve', 'migrate', 'verify'],
    load: async () => (await import('./service.ts')).serviceCommands,
  },
  { words: ['import', 'dump'], load: async () => (await import('./data.ts')).dataCommands },
  { words: ['register'], load: async () => (await import('./register.ts')).registerCommands },
  { words: ['company'], load: async () => (await import('./company.ts')).companyCommands },
  { words: ['platform'], load: async () => (await import('./platform.ts')).platformCommands },
  { words: ['regime'], load: async () => (await import('./regime.ts')).regimeCommands },
  { words: ['brand-domain'], load: async () => (await import('./brand-domain.ts')).brandDomainCommands },
  { words: ['people'], load: async () => (await import('./people.ts')).peopleCommands },
  { words: ['logo'], load: async () => (await import('./logo.ts')).logoCommands },
  { words: ['account'], load: async () => (await import('./account.ts')).accountCommands },
  { words: ['user'], load: async () => (await import('./user.ts')).userCommands },
  { words: ['receipt'], load: async () => (await import('./receipt.ts')).receiptCommands },
  { words: ['key'], load: async () => (await import('./key.ts')).keyCommands },
  { words: ['prospect-list'], load: async () => (await import('./prospect-list.ts')).prospectListCommands },
  { words: ['export'], load: async () => (await import('./export.ts')).exportCommands },
  { words: ['work'], load: async () => (await import('./work.ts')).workCommands },
  { words: ['check', 'observation'], load: async () => (await import('./check.ts')).checkCommands },
  { words: ['lobby'], load: async () => (await import('./lobby.ts')).lobbyCommands },
  { words: ['render'], load: async () => (await import('./render.ts')).renderCommands },
  { words: ['jobs'], load: async () => (await import('./jobs.ts')).jobsCommands },
]

function declarationsFor(words: readonly string[]): typeof declarations {
  const first = words.find(word => !word.startsWith('-'))
  const wanted = declarations.filter(declared => declared.words.some(word => word === first))
  return wanted.length > 0 ? wanted : declarations
}

/** Declares the commands that a command line may mean. */
export async function openProgram(words: readonly string[], out: Out, version: string): Promise<Command> {
  const program = new Command('baize')
    .description('Run and feed a Baize service.')
    .option('--json', 'print one JSON value instead of text')
    .version(version, '-v, --version', 'print the version')
    .exitOverride()
    .showSuggestionAfterError()
  for (const { load } of declarationsFor(words)) (await load())(program, out)
  return program
}

/** Runs a command line. Returns the exit code: 0, 1 for a failure, 2 for an invalid command line. */
export async function runCommand(argv: readonly string[]): Promise<number> {
  const asJson = argv.includes('--json')
  const out = openOutput(asJson)
  const version = readVersion()
  const shownVersion = asJson ? JSON.stringify({ version }) : version
  const program = await openProgram(argv.slice(2), out, shownVersion)
  try {
    await program.parseAsync([...argv])
    return (await out.done()).failed ? 1 : 0
  } catch (error) {
    await out.done().catch(() => {})
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    const message = operatorMessage(error)
    console.error(message === null ? error : terminalText(message))
    return 1
  }
}
