import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Baize } from '../index.ts'
import { type Command, counted, credits, type Flags, note, numberOf, UsageError } from './command.ts'
import { formatOf, formatOptions, render, write } from './output.ts'
import { readSheet } from './read-sheet.ts'

const unresolvedShownMax = 20

export const portfolio: Command = {
  summary: 'Store lists of sites, free, and read what changed among them, at 1 credit a change',
  usage: `put NAME FILE [--column NAME] | show [NAME] | changes NAME [--cursor FILE] | delete NAME
  put NAME FILE         create or replace it; FILE as of "verdicts"
  show [NAME]           all portfolios, or one, with its size
  changes NAME          changes of members since they were added, oldest first
  --cursor FILE         begin after the changes that were printed with this file, and store the place there
  --max-credits N       stop before more is spent
  --json | --csv`,
  options: {
    ...formatOptions,
    column: { type: 'string' },
    cursor: { type: 'string' },
    'max-credits': { type: 'string' },
  },
  async run([action = '', name, file, ...more], flags) {
    const needed = { put: 2, show: name === undefined ? 0 : 1, changes: 1, delete: 1 }[action]
    if (needed === undefined) throw new UsageError('Name what to do: put, show, changes or delete.')
    const given = [name, file, ...more].filter(each => each !== undefined).length
    if (given !== needed)
      throw new UsageError(`"${action}" needs ${action === 'put' ? 'a name and a file' : 'one name'}.`)
    const baize = new Baize()
    if (action === 'put') return put(baize, String(name), String(file), flags)
    if (action === 'changes') return changes(baize, String(name), flags)
    if (action === 'show') return show(baize, name, flags)
    await baize.deletePortfolio({ name: String(name) })
    note(`The portfolio ${name} was deleted.`)
    return 0
  },
}

async function put(baize: Baize, name: string, file: string, flags: Flags): Promise<number> {
  const { rows, column } = readSheet(readFileSync(file), flags.column as string | undefined)
  const domains = rows.map(row => (row[column] ?? '').trim()).filter(each => each !== '')
  const { size, added, removed, unresolved } = await baize.putPortfolio({ name, domains })
  const counts = `${counted(size, 'member')}: ${added} added, ${removed} removed`
  note(`${name} has ${counts}, ${counted(unresolved.length, 'input')} without a domain.`)
  for (const { input, message } of unresolved.slice(0, unresolvedShownMax)) note(`  ${input}: ${message}`)
  return 0
}

async function show(baize: Baize, name: string | undefined, flags: Flags): Promise<number> {
  const values =
    name === undefined ? (await baize.listPortfolios()).portfolios : [await baize.getPortfolio({ name })]
  const lines = values.map(each => [each.name, String(each.size), each.changed_at, each.note ?? ''])
  await write(render(formatOf(flags), { titles: ['name', 'size', 'changed_at', 'note'], lines }, { values }))
  return 0
}

async function changes(baize: Baize, name: string, flags: Flags): Promise<number> {
  const path = flags.cursor as string | undefined
  const stored = path !== undefined && existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined
  let charged = 0
  const pages = baize.listPortfolioChanges(
    { name, page_size: 100 },
    {
      cursor: stored,
      maxCredits: numberOf(flags, 'max-credits'),
      onPage: page => {
        charged += page.billing.credits_charged
      },
    },
  )
  const found = []
  for await (const change of pages) found.push(change)
  const titles = ['detected_at', 'domain', 'before', 'after', 'cause']
  const lines = found.map(({ detected_at, domain, before, after, cause }) => [
    detected_at,
    domain,
    before.verdict,
    after.verdict,
    cause,
  ])
  await write(render(formatOf(flags), { titles, lines }, { values: found }))
  if (path !== undefined) writeFileSync(path, `${pages.cursor}\n`)
  note(`${counted(found.length, 'change')}. ${credits(charged)} charged.`)
  return 0
}
