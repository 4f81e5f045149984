import { counted } from '@baize/names'
import type { Command } from 'commander'
import { StaffError } from '../core/staff-error.ts'
import { aCommand } from '../features/audit/index.ts'
import { type SuppressionReport, suppressPerson } from '../features/people/index.ts'
import type { Out } from './output.ts'
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
        suppressPerson(world, { email, profile, named, reason: why, now: new Date(), by: aCommand }),
      )
      out.print({ json: report, text: describeSuppression(report) })
    })
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
}: SuppressionReport): string {
  const { email, profile, name } = handles
  const hasMatch = contacts + stored_answers + listed_contacts > 0
  const suppressed = [
    counted(email, 'e-mail address', 'e-mail addresses'),
    counted(profile, 'profile', 'profiles'),
    `${counted(name, 'name', 'names')} at a Company (${new_handles} new)`,
  ]
  const removed = [
    counted(contacts, 'contact', 'contacts'),
    `the person from ${counted(stored_answers, 'stored answer', 'stored answers')}`,
    `${counted(listed_contacts, 'contact', 'contacts')} of prospect lists`,
  ]
  return [
    `suppressed: ${suppressed.join(', ')}`,
    hasMatch
      ? `removed: ${removed.join(', ')}`
      : 'No stored person matches. Later imports and lists will leave the person out.',
  ].join('\n')
}
