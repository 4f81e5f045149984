import { type Out, printTable } from '@baize/terminal'
import type { Command } from 'commander'
import { aCommand } from '../features/audit/index.ts'
import { showLogos, type WithdrawalReport, withdrawLogos } from '../features/logos/index.ts'
import { withSession } from './session.ts'

export function logoCommands(program: Command, out: Out): void {
  const logo = program
    .command('logo')
    .description('Logos of brands, companies, suppliers, payment methods and games.')

  logo
    .command('show <kind> <slug>')
    .description('List all images of a subject, also past and withdrawn ones.')
    .action(async (kind: string, slug: string) => {
      const images = await withSession(({ world }) => showLogos(world, kind, slug))
      out.print({ json: images, text: printTable(images) })
    })

  logo
    .command('withdraw <kind> <slug>')
    .description('Withdraw images of a subject: customers no longer get them.')
    .requiredOption('--why <reason>', 'the reason; stored with each image')
    .option('--variant <variant>', 'only images of this variant')
    .option('--theme <theme>', 'only images of this theme')
    .option('--file <file>', 'only this file, as "logo show" prints it')
    .action(async (kind: string, slug: string, { why, ...chosen }: WithdrawOptions) => {
      const report = await withSession(({ world }) =>
        withdrawLogos(world, { kind, slug, ...chosen, reason: why, now: new Date(), by: aCommand }),
      )
      out.print({ json: report, text: describeWithdrawal(report) })
    })
}

function describeWithdrawal({ kind, slug, withdrawn, still_shown }: WithdrawalReport): string {
  const images = `${withdrawn} ${withdrawn === 1 ? 'image' : 'images'}`
  return [
    `${kind} ${slug}: ${images} withdrawn from customers; the demo world is unchanged`,
    ...still_shown.map(file => `${file} is still served: another subject uses the same image`),
  ].join('\n')
}

type WithdrawOptions = { why: string; variant?: string; theme?: string; file?: string }
