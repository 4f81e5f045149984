import type { Command } from 'commander'
import { runUntilStopped } from '../instance/run-until-stopped.ts'
import { work } from '../instance/work.ts'

export function workCommands(program: Command): void {
  program
    .command('work')
    .description('Do jobs until a signal, and serve nothing; any number may run beside a service.')
    .action(() => runUntilStopped(work))
}
