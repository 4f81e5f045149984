import type { Command } from 'commander'
import { work } from '../instance/work.ts'
import { untilStopped } from '../main/until-stopped.ts'

export function workCommands(program: Command): void {
  program
    .command('work')
    .description('Do jobs until a signal, and serve nothing; any number may run beside a service.')
    .action(() => untilStopped(work))
}
