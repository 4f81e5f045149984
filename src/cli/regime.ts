import { type RegimeEntry, regimeStates, regimeVerticals } from '@baize/registers/entries'
import { type Out, printTable } from '@baize/terminal'
import type { Command } from 'commander'
import {
  approveRegime,
  endRegime,
  enterRegime,
  type RegimeReport,
  readStaffRegimes,
  withdrawRegime,
} from '../features/regimes/index.ts'
import { withSession } from './session.ts'

type Added = {
  from: string
  to?: string
  vertical: RegimeEntry['vertical']
  source: string
  note?: string
  why: string
}

const listed = ['regime_ref', 'status', 'market', 'vertical', 'state', 'from', 'to', 'ends', 'source_url']

export function regimeCommands(program: Command, out: Out): void {
  const regime = program
    .command('regime')
    .description('What gambling is allowed in a market, by day. Only approved rows are public.')
  const act = () => ({ by: null, now: new Date() })
  const print = (report: RegimeReport) =>
    out.print({ json: report, text: `${report.regime_ref}  ${report.status}` })

  regime
    .command('add <market> <state>')
    .description(`Propose a regime: ${regimeStates.join(', ')}.`)
    .requiredOption('--from <day>', 'the first day in force, such as 2026-09-25')
    .option('--to <day>', 'the last day in force')
    .option('--vertical <vertical>', regimeVerticals.join(', '), 'all')
    .requiredOption('--source <url>', 'where it is published')
    .option('--note <text>', 'is public; at most 300 characters')
    .requiredOption('--why <reason>', 'the reason, which only staff see')
    .action(async (market: string, state: RegimeEntry['state'], { why, source, ...added }: Added) => {
      const { from, to = null, vertical, note = null } = added
      const entry = { market, state, vertical, from, to, source_url: source, note }
      print(await withSession(({ world }) => enterRegime(world, entry, { ...act(), why })))
    })

  regime
    .command('list [market]')
    .description('List regimes of every status, proposed ones first.')
    .action(async (market: string | undefined) => {
      const rows = await withSession(({ world }) => readStaffRegimes(world.database, { market }))
      const json = rows.map(({ id: _id, ends_id: _endsId, ...row }) => row)
      out.print({ json, text: printTable(json, listed) })
    })

  regime
    .command('approve <ref>')
    .description('Publish a proposed regime. Running services follow within 5 seconds.')
    .action(async (ref: string) => {
      print(await withSession(({ world }) => approveRegime(world, ref, act())))
    })

  regime
    .command('end <ref>')
    .description('End an approved regime. Without --on, withdraw a proposed one.')
    .option('--on <day>', 'its last day; a day before its first states that it never applied')
    .requiredOption('--why <reason>', 'the reason, which only staff see')
    .action(async (ref: string, { on, why }: { on?: string; why: string }) => {
      const end = { ...act(), why }
      print(
        await withSession(({ world }) =>
          on === undefined ? withdrawRegime(world, ref, end) : endRegime(world, ref, { ...end, on }),
        ),
      )
    })
}
