import { type Out, printTable } from '@baize/terminal'
import type { Command } from 'commander'
import {
  approveBrandDomain,
  type BrandDomainReport,
  enterBrandDomain,
  readBrandDomains,
  removeBrandDomain,
} from '../features/brands/index.ts'
import { withSession } from './session.ts'

const listed = [
  'brand_domain_ref',
  'status',
  'market',
  'brand',
  'domain',
  'licenses',
  'source_day',
  'source_url',
]

export function brandDomainCommands(program: Command, out: Out): void {
  const brandDomain = program
    .command('brand-domain')
    .description('Sites of brands that registers name without a site. Only approved rows license a site.')
  const act = () => ({ by: null, now: new Date() })
  const print = (report: BrandDomainReport) =>
    out.print({ json: report, text: `${report.brand_domain_ref}  ${report.status}  ${report.domain}` })

  brandDomain
    .command('add <market> <brand> <domain>')
    .description('Propose the site of a brand, written as the register of the market prints it.')
    .requiredOption('--source <url>', 'the page that states that the site is of the brand')
    .option('--seen <day>', 'the day on which the source stated it (default: today)')
    .requiredOption('--why <reason>', 'the reason, which only staff see')
    .action(
      async (
        market: string,
        brand: string,
        domain: string,
        { source, seen, why }: { source: string; seen?: string; why: string },
      ) => {
        const entry = { market, brand, domain, source_url: source, source_day: seen }
        print(await withSession(({ world }) => enterBrandDomain(world, entry, { ...act(), why })))
      },
    )

  brandDomain
    .command('list [market]')
    .description('List rows of every status, proposed ones first.')
    .action(async (market: string | undefined) => {
      const rows = await withSession(({ world }) => readBrandDomains(world.database, { market }))
      out.print({ json: rows, text: printTable(rows, listed) })
    })

  brandDomain
    .command('approve <ref>')
    .description('Approve a proposed row: the licenses of the brand license the site from now on.')
    .action(async (ref: string) => {
      print(await withSession(({ world }) => approveBrandDomain(world, ref, act())))
    })

  brandDomain
    .command('remove <ref>')
    .description('Remove an approved row, or withdraw a proposed one.')
    .requiredOption('--why <reason>', 'the reason, which only staff see')
    .action(async (ref: string, { why }: { why: string }) => {
      print(await withSession(({ world }) => removeBrandDomain(world, ref, { ...act(), why })))
    })
}
