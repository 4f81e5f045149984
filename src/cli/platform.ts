import { type Out, printTable } from '@baize/terminal'
import type { Command } from 'commander'
import { StaffError } from '../core/staff-error.ts'
import { aCommand } from '../features/audit/index.ts'
import { listPlatforms, reviewPlatform } from '../features/signals/index.ts'
import { withSession } from './session.ts'

export function platformCommands(program: Command, out: Out): void {
  const platform = program
    .command('platform')
    .description('Platforms that sites run on. Only reviewed ones are published.')

  platform
    .command('list')
    .description('List platforms; those awaiting review first.')
    .action(async () => {
      const listed = await withSession(({ world }) => listPlatforms(world.database))
      out.print({ json: listed, text: printTable(listed) })
    })

  platform
    .command('review <key>')
    .description('Publish a platform and emit Signals for its known sites.')
    .option('--undo', 'withdraw the review: the platform is no longer published; its Signals remain')
    .action(async (key: string, { undo = false }: { undo?: boolean }) => {
      const report = await withSession(({ world }) =>
        reviewPlatform(world, key, new Date(), { reviewed: !undo, by: aCommand }),
      )
      if (report === undefined) throw new StaffError(`Unknown platform "${key}". "platform list" lists all.`)
      const state = report.reviewed ? 'reviewed' : 'not reviewed'
      const done = report.changed
        ? `${state}; ${report.signals} signals`
        : `already ${state}; nothing changed`
      out.print({ json: report, text: `${report.platform_key}  ${done}` })
    })
}
