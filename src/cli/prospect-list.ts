import { createReadStream } from 'node:fs'
import type { Command } from 'commander'
import { StaffError } from '../core/staff-error.ts'
import { terminalText } from '../core/terminal-text.ts'
import {
  assignProspectList,
  cadences,
  cancelProspectList,
  createProspectList,
  deliverProspectList,
  listProspectListsForStaff,
  listStatuses,
  prepareProspectList,
  type StaffList,
  showProspectListToStaff,
} from '../features/prospect-lists/index.ts'
import { type Out, table } from './output.ts'
import { oneOf, unreadable } from './read-argument.ts'
import { withSession } from './session.ts'

/** Room for the largest result, indented. */
const resultFileBytesMax = 4 * 1024 * 1024

export function prospectListCommands(program: Command, out: Out): void {
  const list = program
    .command('prospect-list')
    .description('Lists of prospects that staff prepare for an account.')

  list
    .command('create <account>')
    .description('Note what a customer asked for; the list is then prepared and delivered.')
    .requiredOption('--cadence <cadence>', cadences.join(', '))
    .action(async (account: string, { cadence }: { cadence: string }) => {
      const asked = oneOf('--cadence', cadences, cadence)
      const created = await withSession(({ world }) =>
        createProspectList(world, account, { cadence: asked, now: new Date() }),
      )
      out.print({ json: created, text: `${created.prospect_list_ref}  requested, ${created.cadence}` })
    })

  const decision = (
    name: string,
    description: string,
    decide: (...input: Parameters<typeof prepareProspectList>) => Promise<StaffList>,
  ) =>
    list
      .command(`${name} <list>`)
      .description(description)
      .action(async (ref: string) => {
        const decided = await withSession(({ world }) => decide(world, ref))
        out.print({ json: decided, text: `${ref} is ${decided.status}` })
      })
  decision('prepare', 'Say that somebody works on a requested list.', prepareProspectList)
  decision('cancel', 'Take a list away, in whatever state; its result is deleted.', cancelProspectList)

  list
    .command('deliver <list>')
    .description('Hand a list over: its client sees the result from now on.')
    .requiredOption('--result <file>', 'the JSON of the result, as docs/prospect-lists.md has it')
    .action(async (ref: string, { result: file }: { result: string }) => {
      const result = await readJson(file)
      const delivered = await withSession(({ world }) =>
        deliverProspectList(world, ref, { result, now: new Date() }),
      )
      const { target_account_count: targets, suppressed_contacts: suppressed } = delivered
      const left = suppressed === 0 ? '' : `; suppressed contacts kept out: ${suppressed}`
      out.print({
        json: delivered,
        text: `${ref} is ready, with ${targets} ${targets === 1 ? 'target' : 'targets'}${left}`,
      })
    })

  list
    .command('assign <list> <account>')
    .description('Give a list that was asked for through the public form to an account.')
    .action(async (ref: string, account: string) => {
      const assigned = await withSession(({ world }) => assignProspectList(world, ref, account))
      out.print({ json: assigned, text: `${ref} belongs to ${assigned.account_ref}` })
    })

  list
    .command('list')
    .description('Lists, those that wait for staff first.')
    .option('--status <status>', listStatuses.join(', '))
    .option('--account <account>', 'of this account only')
    .option('--unassigned', 'those of the public form that belong to no account yet')
    .action(async (asked: { status?: string; account?: string; unassigned?: boolean }) => {
      const { status, ...others } = asked
      const filters =
        status === undefined ? others : { ...others, status: oneOf('--status', listStatuses, status) }
      const lists = await withSession(({ world }) => listProspectListsForStaff(world, filters))
      out.print({ json: lists, text: table(lists.map(inRow)) })
    })

  list
    .command('show <list>')
    .description('One list, and what the public form was sent for it.')
    .action(async (ref: string) => {
      const shown = await withSession(({ world }) => showProspectListToStaff(world, ref))
      const asked = shown.requested_by?.request
      out.print({
        json: shown,
        text: `${table([inRow(shown)])}${asked === undefined ? '' : `\n\n${terminalText(asked)}`}`,
      })
    })
}

function inRow({ account_name: _, requested_by: by, ...list }: StaffList): Record<string, unknown> {
  return { ...list, requested_by: by === null ? null : `${by.name} <${by.email}>, ${by.company}` }
}

/** Read and parsed before a database is opened for it; a pipe is read as well, and no further than a file. */
async function readJson(file: string): Promise<unknown> {
  const text = await readBounded(file).catch(unreadable(file))
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new StaffError(`${file}: not JSON: ${(error as Error).message.replaceAll(/\s+/g, ' ')}`)
  }
}

async function readBounded(file: string): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > resultFileBytesMax)
      throw new StaffError(`${file}: a result has ${resultFileBytesMax} bytes at most.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
