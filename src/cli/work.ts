import type { Command } from 'commander'
import { runUntilStopped } from '../instance/run.ts'
import { work } from '../instance/work.ts'

export function workCommands(program: Command): void {
  program
    .command('work')
    .description('Run jobs without serving the API. Several workers may run beside a service.')
    .action(() => runUntilStopped(work))
}
