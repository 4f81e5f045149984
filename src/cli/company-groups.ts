import { counted } from '@baize/names'
import { type Out, printTable } from '@baize/terminal'
import type { Command } from 'commander'
import { aCommand } from '../features/audit/index.ts'
import { endGroup, listGroups, stateGroup } from '../features/companies/index.ts'
import { withSession } from './session.ts'

export function groupCommands(company: Command, out: Out): void {
  company
    .command('group <name>')
    .description('State that Companies are of one group, by a public source. They stay separate Companies.')
    .requiredOption('--members <refs...>', 'the refs of the Companies')
    .requiredOption('--source <url>', 'the page that shows it; published with each member')
    .requiredOption('--why <reason>', 'the reason; only staff see it')
    .action(async (name: string, { members, source, why }: Stated & { source: string }) => {
      const report = await withSession(({ world }) =>
        stateGroup(world, { name, members, source }, { why, now: new Date(), by: aCommand }),
      )
      out.print({ json: report, text: `${report.group}: ${report.members.join(', ')}` })
    })

  company
    .command('groups')
    .description('List groups with their members and sources.')
    .action(async () => {
      const groups = await withSession(({ world }) => listGroups(world))
      const rows = groups.map(({ name: group, company_ref, company_name, source_url: source }) => {
        return { group, company: `${company_ref} ${company_name ?? '-'}`, source }
      })
      out.print({ json: { groups }, text: printTable(rows) })
    })

  company
    .command('ungroup <name>')
    .description('End that Companies are of a group; without --members the whole group.')
    .option('--members <refs...>', 'the refs of the Companies')
    .requiredOption('--why <reason>', 'the reason; only staff see it')
    .action(async (name: string, { members, why }: Partial<Stated> & { why: string }) => {
      const report = await withSession(({ world }) =>
        endGroup(world, { name, members: members ?? null }, { why, now: new Date(), by: aCommand }),
      )
      out.print({
        json: report,
        text: `${report.group} has ${counted(report.members.length, 'member')} less.`,
      })
    })
}

type Stated = { members: string[]; why: string }
