import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Baize, BaizeError } from '../index.ts'
import {
  aboutNoRecord,
  type Command,
  counted,
  credits,
  type Flags,
  grouped,
  note,
  numberOf,
  UsageError,
} from './command.ts'
import { confirm } from './confirm.ts'
import { interruptible } from './interrupt.ts'
import { Journal } from './journal.ts'
import { lockFile } from './lock-file.ts'
import { type Format, formatOf, formatOptions, render, write } from './output.ts'
import { encode, readSheet, type Sheet } from './read-sheet.ts'
import {
  chargedBefore,
  type Inputs,
  openInputs,
  type Run,
  resolveAll,
  type Screened,
  tooExpensive,
} from './screen-batches.ts'
import { type AnsweredRow, screenedTable } from './verdict-rows.ts'
import { countStates, snapshotTable, sourcesOf } from './verdict-sources.ts'

/** Allows more retries than usual, so that a long run survives a busy minute of the service. */
const maxRetries = 5
const inputLengthMax = 2_048

export const verdicts: Command = {
  summary: 'The verdicts of a file of domains, at 1 credit for each registrable domain',
  usage: `FILE [--column NAME] [--csv | --json] [--out FILE] [--yes] [--max-credits N] [--partial]
  FILE                  a domain or URL a line, or a CSV with a column of them; - is stdin, and needs --out
  --column NAME         the column of domains, by title or number; default: the one that has domains
  --out FILE            default: stdout
  --yes                 do not ask before paying
  --max-credits N       do not ask, and refuse, free of charge, what could cost more
  --partial             with a balance that may not cover all rows, take the verdicts that it covers`,
  options: {
    ...formatOptions,
    column: { type: 'string' },
    out: { type: 'string' },
    yes: { type: 'boolean' },
    'max-credits': { type: 'string' },
    partial: { type: 'boolean' },
  },
  async run([file, ...rest], flags) {
    const out = flags.out as string | undefined
    const format = formatOf(flags, out === undefined && process.stdout.isTTY ? 'table' : 'csv')
    if (file === undefined || rest.length > 0) throw new UsageError('Name one file of domains.')
    if (file === '-' && out === undefined) throw new UsageError('With "-", name the output: --out FILE.')
    if (out !== undefined && [out, sourcesFile(out)].some(path => resolve(path) === resolve(file)))
      throw new UsageError(`--out would replace ${file}; name another file.`)
    const sheet = readSheet(readFileSync(file === '-' ? 0 : file), flags.column as string | undefined)
    const inputs = inputsOf(sheet)
    const baize = new Baize({ maxRetries })
    const path = `${out ?? file}.journal`
    const unlock = lockFile(`${path}.lock`)
    try {
      const journal = new Journal<Screened>(path, [baize.baseUrl, inputs.sent])
      return await interruptible(signal =>
        runWith({ baize, sheet, inputs, journal, signal, chargedNow: 0 }, flags, format),
      )
    } finally {
      unlock()
    }
  },
}

function inputsOf({ rows, column }: Sheet): Inputs {
  const all = rows.map(row => (row[column] ?? '').trim())
  const distinct = [...new Set(all)].filter(input => input !== '')
  const tooLong = new Set(distinct.filter(input => input.length > inputLengthMax))
  return { all, sent: distinct.filter(input => !tooLong.has(input)), tooLong }
}

async function runWith(run: Run, flags: Flags, format: Format): Promise<number> {
  const { journal, signal } = run
  let failure: unknown = null
  try {
    const { covered } = await agree(run, flags)
    await resolveAll(run, { max: numberOf(flags, 'max-credits'), covered })
  } catch (error) {
    failure = error
  }
  const isWhole = failure === null
  // Paid verdicts are written after a failure, too.
  if (isWhole || journal.answers.size > 0) await deliver(run, flags.out as string | undefined, format)
  journal.close(isWhole || journal.isUnused)
  if (isWhole) return 0
  if (journal.answers.size > 0) note(`${summaryOf(run)}\n${journal.path} has what is finished.`)
  if (!signal.aborted) throw failure
  note('Stopped. The same command continues, and pays nothing twice.')
  return 130
}

/**
 * Prints the price, and asks the user unless the flags answer. It refuses, before anything is paid, inputs
 * that the balance may not cover. Returns the number of credits in the balance.
 */
async function agree(run: Run, flags: Flags): Promise<{ covered: number }> {
  const { baize, journal, signal } = run
  const perhapsPaid = journal.unanswered.flatMap(({ inputs }) => inputs).length
  const most = openInputs(run).length
  if (most + perhapsPaid === 0) return { covered: 0 }
  const max = numberOf(flags, 'max-credits')
  if (max !== undefined && most > max) throw tooExpensive(most, max)
  const { credits_granted, available_credits } = await baize.getAccount({ signal })
  const hasLimit = credits_granted !== null
  const all = most + perhapsPaid
  const inputs = `${counted(all, 'input')} ${all === 1 ? 'costs' : 'cost'}`
  const price = `${inputs} at most ${credits(all)}, 1 a registrable domain.`
  const paid = perhapsPaid === 0 ? '' : ` ${grouped(perhapsPaid)} of them may be paid already, and free then.`
  const before = journal.answers.size === 0 ? '' : ` ${credits(chargedBefore(run))} charged before.`
  const cost = `${price}${paid}${before}${hasLimit ? ` Available: ${credits(available_credits)}.` : ''}`
  if (hasLimit && most > available_credits && !flags.partial)
    throw new BaizeError(
      `${cost} The balance may not cover it. Nothing was charged now.\n` +
        'Add credits, or take the verdicts that it covers: --partial.',
    )
  if (flags.yes || max !== undefined) note(cost)
  else if (!(await confirm(`${cost} Go on?`, signal))) throw new BaizeError('Nothing was charged.')
  return { covered: hasLimit ? available_credits : Number.POSITIVE_INFINITY }
}

/** Returns rows in the order of the file. An input that occurs twice has two rows. */
function rowsOf({ inputs, journal }: Run): AnsweredRow[] {
  const found = new Map<string, AnsweredRow>()
  for (const { inputs: sent, answer } of journal.answers.values()) {
    const { data, timestamp, requestId } = answer
    const { oldest_snapshot_at, streams = [] } = data.checked
    const proof = { checked_at: timestamp, oldest_snapshot_at, request_id: requestId }
    for (const { index, ...row } of [...data.verdicts, ...data.unresolved]) {
      const input = sent[index] ?? row.input
      const sources = 'verdict' in row ? sourcesOf(row, streams) : []
      found.set(input, { ...row, input, ...proof, sources })
    }
  }
  return inputs.all.map(input => found.get(input) ?? { input, ...problemOf(input, inputs) })
}

function problemOf(input: string, { tooLong }: Inputs): { code: string; message: string } {
  if (input === '') return { code: 'empty', message: 'the cell is empty' }
  if (tooLong.has(input))
    return { code: 'invalid_domain', message: `longer than ${grouped(inputLengthMax)} characters` }
  return { code: 'not_screened', message: 'not sent yet; the same command continues' }
}

/** Writes the output. Each write replaces the whole file, so a reader never finds half a row. */
async function deliver(run: Run, out: string | undefined, format: Format): Promise<void> {
  const rows = rowsOf(run)
  const { sheet } = run
  const text = render(format, screenedTable(sheet, rows, format === 'csv'), {
    values: rows.map((row, at) => ({ ...row, ...otherColumns(sheet, at) })),
    delimiter: sheet.delimiter ?? ',',
  })
  if (out === undefined) await write(text)
  else {
    const sources = snapshotTable([...run.journal.answers.values()].map(({ answer }) => answer))
    replaceFile(sourcesFile(out), render('csv', sources, { values: [] }))
    replaceFile(out, format === 'csv' ? encode(text, sheet) : text)
  }
  if (rows.every(row => !('code' in row) || row.code !== 'not_screened')) {
    note(summaryOf(run))
    if (rows.some(row => 'verdict' in row && row.verdict === 'no_record')) note(aboutNoRecord)
    const states = countStates([...run.journal.answers.values()].map(({ answer }) => answer))
    if (states > 1)
      note(`The registers changed during the run: its rows are of ${states} states, as their sources show.`)
  }
}

const sourcesFile = (out: string): string => `${out}.sources.csv`

function replaceFile(path: string, content: string | Uint8Array): void {
  const part = openSync(`${path}.part`, 'w')
  writeFileSync(part, content)
  fsyncSync(part)
  closeSync(part)
  renameSync(`${path}.part`, path)
}

function otherColumns({ titles, rows, column }: Sheet, at: number): { columns?: Record<string, string> } {
  if (titles.length === 0) return {}
  const others = titles.flatMap((title, place) =>
    place === column ? [] : [[title, rows[at]?.[place] ?? '']],
  )
  return { columns: Object.fromEntries(others) }
}

function summaryOf(run: Run): string {
  const rows = rowsOf(run)
  const counts = new Map<string, number>()
  for (const row of rows) {
    const kind =
      'verdict' in row ? row.verdict : row.code === 'not_screened' ? 'not screened' : 'without a verdict'
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  const parts = [...counts].map(([kind, each]) => `${grouped(each)} ${kind}`)
  const before = chargedBefore(run)
  const earlier = before > 0 ? ` now, ${grouped(before)} before` : ''
  return `${counted(rows.length, 'row')}: ${parts.join(', ')}. ${credits(run.chargedNow)} charged${earlier}.`
}
