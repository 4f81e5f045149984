import { createReadStream } from 'node:fs'
import { terminalText } from '@baize/names'
import { type Out, printTable } from '@baize/terminal'
import type { Command } from 'commander'
import { StaffError } from '../core/staff-error.ts'
import { aCommand } from '../features/audit/index.ts'
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
import { readWordOption, unreadable } from './read-argument.ts'
import { withSession } from './session.ts'

/** The largest valid result, indented, has fewer bytes. */
const resultFileBytesMax = 4 * 1024 * 1024

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a list of commands.
export function prospectListCommands(program: Command, out: Out): void {
  const list = program
    .command('prospect-list')
    .description('Lists of prospects that staff prepare for an account.')

  list
    .command('create <account>')
    .description('Record a request for a list.')
    .requiredOption('--cadence <cadence>', cadences.join(', '))
    .action(async (account: string, { cadence }: { cadence: string }) => {
      const chosen = readWordOption('--cadence', cadences, cadence)
      const created = await withSession(({ world }) =>
        createProspectList(world, account, { cadence: chosen, now: new Date(), by: aCommand }),
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
        const decided = await withSession(({ world }) => decide(world, ref, aCommand))
        out.print({ json: decided, text: `${ref} is ${decided.status}` })
      })
  decision('prepare', 'Mark a requested list as being prepared.', prepareProspectList)
  decision('cancel', 'Cancel a list in any state and delete its result.', cancelProspectList)

  list
    .command('deliver <list>')
    .description('Deliver a list to its account.')
    .requiredOption('--result <file>', 'the result as JSON (see docs/prospect-lists.md)')
    .action(async (ref: string, { result: file }: { result: string }) => {
      const result = await readJson(file)
      const delivered = await withSession(({ world }) =>
        deliverProspectList(world, ref, { result, now: new Date(), by: aCommand }),
      )
      const { target_account_count: targets, suppressed_contacts: suppressed } = delivered
      const omitted = suppressed === 0 ? '' : `; suppressed contacts omitted: ${suppressed}`
      out.print({
        json: delivered,
        text: `${ref} is ready, with ${targets} ${targets === 1 ? 'target' : 'targets'}${omitted}`,
      })
    })

  list
    .command('assign <list> <account>')
    .description('Assign a list from the public form to an account.')
    .action(async (ref: string, account: string) => {
      const assigned = await withSession(({ world }) => assignProspectList(world, ref, account, aCommand))
      out.print({ json: assigned, text: `${ref} belongs to ${assigned.account_ref}` })
    })

  list
    .command('list')
    .description('List prospect lists; those awaiting staff first.')
    .option('--status <status>', listStatuses.join(', '))
    .option('--account <account>', 'only this account')
    .option('--unassigned', 'only unassigned ones from the public form')
    .action(async (options: { status?: string; account?: string; unassigned?: boolean }) => {
      const { status, ...others } = options
      const filters =
        status === undefined
          ? others
          : { ...others, status: readWordOption('--status', listStatuses, status) }
      const lists = await withSession(({ world }) => listProspectListsForStaff(world, filters))
      out.print({ json: lists, text: printTable(lists.map(listColumns)) })
    })

  list
    .command('show <list>')
    .description('Show one list and its request from the public form.')
    .action(async (ref: string) => {
      const shown = await withSession(({ world }) => showProspectListToStaff(world, ref))
      const request = shown.requested_by?.request
      const requested = request === undefined ? '' : `\n\n${terminalText(request)}`
      out.print({
        json: shown,
        text: `${printTable([listColumns(shown)])}${requested}`,
      })
    })
}

function listColumns({ account_name: _, requested_by: by, ...list }: StaffList): Record<string, unknown> {
  return { ...list, requested_by: by === null ? null : `${by.name} <${by.email}>, ${by.company}` }
}

/** Reads the file before the database is opened. A pipe has the same size limit. */
async function readJson(file: string): Promise<unknown> {
  const text = await readBounded(file).catch(unreadable(file))
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new StaffError(`${file}: invalid JSON: ${(error as Error).message.replaceAll(/\s+/g, ' ')}`)
  }
}

async function readBounded(file: string): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > resultFileBytesMax)
      throw new StaffError(`${file}: a result must have at most ${resultFileBytesMax} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
