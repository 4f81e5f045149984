import type { Command } from 'commander'
import { StaffError } from '../core/staff-error.ts'
import { listPlatforms, reviewPlatform } from '../features/signals/index.ts'
import { type Out, table } from './output.ts'
import { withSession } from './session.ts'

export function platformCommands(program: Command, out: Out): void {
  const platform = program
    .command('platform')
    .description('Vendors that sites run on; published once a person has reviewed them.')

  platform
    .command('list')
    .description('Every vendor that sites were read on, those that wait for a review first.')
    .action(async () => {
      const listed = await withSession(({ world }) => listPlatforms(world.database))
      out.print({ json: listed, text: table(listed) })
    })

  platform
    .command('review <key>')
    .description('Say that the vendor is a platform: it is published, and sites read on it already are told.')
    .option('--undo', 'take the review back: the platform is published nowhere; what was told stays told')
    .action(async (key: string, { undo = false }: { undo?: boolean }) => {
      const report = await withSession(({ world }) =>
        reviewPlatform(world, key, new Date(), { reviewed: !undo }),
      )
      if (report === undefined)
        throw new StaffError(`There is no platform ${key}; "platform list" names them all.`)
      const state = report.reviewed ? 'reviewed' : 'not reviewed'
      const done = report.changed
        ? `${state}; ${report.signals} signals`
        : `${state} already; nothing changed`
      out.print({ json: report, text: `${report.platform_key}  ${done}` })
    })
}
