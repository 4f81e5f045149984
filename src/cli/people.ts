import { counted } from '@baize/names'
import { type Out, printTable } from '@baize/terminal'
import type { Command } from 'commander'
import { StaffError } from '../core/staff-error.ts'
import { aCommand } from '../features/audit/index.ts'
import {
  decideName,
  listDoubtfulNames,
  type NameReport,
  suppressEverywhere,
} from '../features/licensee-names/index.ts'
import type { SuppressionReport } from '../features/people/index.ts'
import { withSession } from './session.ts'

type Options = { email?: string; profile?: string; name?: string; company?: string; why: string }

export function peopleCommands(program: Command, out: Out): void {
  const people = program.command('people').description('People of Companies.')

  people
    .command('suppress')
    .description('Erase a person from contacts, stored answers and prospect lists, and from later imports.')
    .option('--email <address>', 'an e-mail address of the person')
    .option('--profile <url>', 'the professional profile of the person')
    .option('--name <name>', 'the name; needs --company')
    .option('--company <ref>', 'the Company of the person; needs --name')
    .requiredOption('--why <reason>', 'the reason, without names; stored with the suppression')
    .action(async ({ email, profile, name, company, why }: Options) => {
      const named = namedAt(name, company)
      const report = await withSession(({ world }) =>
        suppressEverywhere(world, { email, profile, named, reason: why, now: new Date(), by: aCommand }),
      )
      out.print({ json: report, text: describeSuppression(report) })
    })

  people
    .command('names')
    .description('List names of licensees that may be those of natural persons, and are not decided.')
    .action(async () => {
      const { total, names } = await withSession(({ world }) => listDoubtfulNames(world.database))
      const rows = names.map(({ name, listed }) => ({
        name,
        streams: [...new Set(listed.map(each => each.stream))].join(', '),
        companies: [...new Set(listed.map(each => each.company_ref ?? ''))].join(', '),
      }))
      const more = total > names.length ? `\n${total - names.length} more` : ''
      const none = 'No name is in doubt.'
      out.print({ json: { total, names }, text: total === 0 ? none : printTable(rows) + more })
    })

  people
    .command('decide <name> <kind>')
    .description('Decide for ever whether a name of licensees is that of a "person", or of a "firm".')
    .requiredOption('--why <reason>', 'the reason, without the name of a person')
    .action(async (name: string, kind: string, { why }: { why: string }) => {
      if (kind !== 'person' && kind !== 'firm') throw new StaffError('Write "person" or "firm".')
      const report = await withSession(({ world }) =>
        decideName(world, { name, isPerson: kind === 'person', why, now: new Date(), by: aCommand }),
      )
      out.print({ json: report, text: describeDecision(report) })
    })
}

function describeDecision({ decision, licensees, signals, stored_answers, lists }: NameReport): string {
  if (decision === 'firm') return 'stored: the name is that of a firm'
  const replaced = [
    counted(licensees, 'licensee', 'licensees'),
    counted(signals, 'Signal', 'Signals'),
    counted(stored_answers, 'stored answer', 'stored answers'),
    counted(lists, 'prospect list', 'prospect lists'),
  ]
  return `stored: the name is that of a person\nreplaced in: ${replaced.join(', ')}`
}

function namedAt(name: string | undefined, company: string | undefined) {
  if ((name === undefined) !== (company === undefined))
    throw new StaffError('--name and --company must be given together.')
  return name === undefined || company === undefined ? undefined : { name, company }
}

function describeSuppression({
  handles,
  new_handles,
  contacts,
  stored_answers,
  listed_contacts,
  licensees,
}: SuppressionReport): string {
  const { email, profile, name } = handles
  const hasMatch = contacts + stored_answers + listed_contacts + licensees > 0
  const suppressed = [
    counted(email, 'e-mail address', 'e-mail addresses'),
    counted(profile, 'profile', 'profiles'),
    `${counted(name, 'name', 'names')} at a Company (${new_handles} new)`,
  ]
  const removed = [
    counted(contacts, 'contact', 'contacts'),
    `the person from ${counted(stored_answers, 'stored answer', 'stored answers')}`,
    `${counted(listed_contacts, 'contact', 'contacts')} of prospect lists`,
    `the name from ${counted(licensees, 'licensee', 'licensees')} of registers`,
  ]
  return [
    `suppressed: ${suppressed.join(', ')}`,
    hasMatch
      ? `removed: ${removed.join(', ')}`
      : 'No stored person matches. Later imports and lists will leave the person out.',
  ].join('\n')
}
