import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Baize, BaizeError, type ResolveDomainsAnswer } from '../index.ts'
import {
  aboutNoRecord,
  type Command,
  count,
  credits,
  type Flags,
  note,
  numberOf,
  UsageError,
} from './command.ts'
import { confirm } from './confirm.ts'
import { interruptible } from './interrupt.ts'
import { Journal } from './journal.ts'
import { lockFile } from './lock-file.ts'
import { type Format, formatOf, formatOptions, render, write } from './output.ts'
import { type Plan, planBatches } from './plan-batches.ts'
import { drawProgress } from './progress.ts'
import { type VerdictRow, verdictTable } from './verdict-rows.ts'

/** A long run outlives a busy minute of the service. */
const maxRetries = 5

type Run = { baize: Baize; plan: Plan; journal: Journal<ResolveDomainsAnswer>; signal: AbortSignal }

export const verdicts: Command = {
  summary: 'The verdicts of a file of domains, at 1 credit for each registrable domain',
  usage: `FILE [--csv | --json] [--out FILE] [--yes] [--max-credits N]
  FILE                  a domain or URL a line; - is stdin, and needs --out
  --out FILE            default: stdout
  --yes                 do not ask before paying
  --max-credits N       do not ask, and refuse, free of charge, what could cost more`,
  options: {
    ...formatOptions,
    out: { type: 'string' },
    yes: { type: 'boolean' },
    'max-credits': { type: 'string' },
  },
  async run([file, ...rest], flags) {
    const out = flags.out as string | undefined
    const format = formatOf(flags, out === undefined && process.stdout.isTTY ? 'table' : 'csv')
    if (file === undefined || rest.length > 0) throw new UsageError('Name one file of domains.')
    if (file === '-' && out === undefined) throw new UsageError('With "-", name the output: --out FILE.')
    if (out !== undefined && resolve(out) === resolve(file))
      throw new UsageError(`--out would replace ${file}; name another file.`)
    const plan = planBatches(readFileSync(file === '-' ? 0 : file, 'utf8'))
    const baize = new Baize({ maxRetries })
    const path = `${out ?? file}.journal`
    const unlock = lockFile(`${path}.lock`)
    try {
      const journal = new Journal<ResolveDomainsAnswer>(path, [baize.baseUrl, plan.batches])
      return await interruptible(signal => runWith({ baize, plan, journal, signal }, flags, format))
    } finally {
      unlock()
    }
  },
}

async function runWith(run: Run, flags: Flags, format: Format): Promise<number> {
  const { plan, journal, signal } = run
  try {
    await agree(run, flags)
    await resolveAll(run, numberOf(flags, 'max-credits'))
    const rows = rowsOf(plan, journal)
    await deliver(render(format, verdictTable(rows, format === 'csv'), rows), flags.out as string | undefined)
    summarize(rows, journal)
    journal.close(true)
    return 0
  } catch (error) {
    journal.close(journal.isUnused)
    if (!signal.aborted) throw error
    note('\nStopped. The same command continues, and pays nothing twice.')
    note(`${journal.path} has what is finished.`)
    return 130
  }
}

/** Says what it costs, and asks a person unless the flags have the answer. */
async function agree({ baize, plan, journal, signal }: Run, flags: Flags): Promise<void> {
  const open = [...plan.batches.entries()].filter(([index]) => !journal.answers.has(index))
  if (open.length === 0) return
  const inputsOf = (batches: typeof open) => batches.flatMap(([, domains]) => domains).length
  const most = inputsOf(open)
  const perhapsPaid = inputsOf(open.filter(([index]) => journal.mayBePaid(index)))
  const max = numberOf(flags, 'max-credits')
  if (max !== undefined && most - perhapsPaid > max) throw tooExpensive(most - perhapsPaid, max)
  const { credits_granted, available_credits } = await baize.showAccount({ signal })
  const balance = credits_granted === null ? '' : ` Available: ${credits(available_credits)}.`
  const done = journal.answers.size
  const finished = done === 0 ? '' : ` ${done} of ${plan.batches.length} batches are finished.`
  const paid =
    perhapsPaid === 0 ? '' : ` ${count(perhapsPaid)} of them may be paid already and are then free.`
  const price = `${count(most)} inputs cost at most ${credits(most)}, 1 a registrable domain.${paid}`
  const cost = `${price}${finished}${balance}`
  if (flags.yes || max !== undefined) note(cost)
  else if (!(await confirm(`${cost} Go on?`, signal))) throw new BaizeError('Nothing was charged.')
}

function tooExpensive(most: number, max: number, charged = 0): BaizeError {
  const sofar = charged === 0 ? 'Nothing was charged.' : `${credits(charged)} charged.`
  return new BaizeError(`It could cost ${credits(most)}; --max-credits allows ${max}. ${sofar}`)
}

async function resolveAll({ baize, plan, journal, signal }: Run, max: number | undefined): Promise<void> {
  const total = plan.batches.flat().length
  let done = 0
  let charged = 0
  let chargedNow = 0
  for (const [index, domains] of plan.batches.entries()) {
    if (!journal.answers.has(index)) {
      // A batch that was to be free may not have been paid.
      const most = chargedNow + domains.length
      if (max !== undefined && most > max) throw tooExpensive(most, max, chargedNow)
      const options = { signal, idempotencyKey: journal.keyOf(index) }
      // The ceiling is the price that was agreed to.
      const call = baize.resolveDomains({ domains, max_credits: domains.length }, options)
      const { data, creditsCharged } = await call.withResponse()
      journal.save(index, data)
      chargedNow += creditsCharged ?? domains.length
    }
    done += domains.length
    charged += journal.answers.get(index)?.credits_charged ?? 0
    drawProgress(done, total, charged)
  }
}

/** In the order of the file; an input that stands there twice has two rows. */
function rowsOf({ inputs, batches, tooLong }: Plan, journal: Run['journal']): VerdictRow[] {
  const found = new Map<string, VerdictRow>()
  const message = 'longer than 2,048 characters'
  for (const input of tooLong) found.set(input, { input, code: 'invalid_domain', message })
  for (const [index, answer] of journal.answers) {
    for (const { index: at, ...row } of [...answer.verdicts, ...answer.unresolved]) {
      const input = batches[index]?.[at] ?? row.input
      found.set(input, { ...row, input })
    }
  }
  return inputs.flatMap(input => found.get(input) ?? [])
}

/** A file is complete or not there. */
async function deliver(text: string, out: string | undefined): Promise<void> {
  if (out === undefined) return write(text)
  const part = openSync(`${out}.part`, 'w')
  writeFileSync(part, text)
  fsyncSync(part)
  closeSync(part)
  renameSync(`${out}.part`, out)
}

function summarize(rows: readonly VerdictRow[], { answers }: Run['journal']): void {
  const counts = new Map<string, number>()
  for (const row of rows) {
    const kind = 'verdict' in row ? row.verdict : 'without a verdict'
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  const charged = [...answers.values()].reduce((sum, answer) => sum + answer.credits_charged, 0)
  const parts = [...counts].map(([kind, each]) => `${count(each)} ${kind}`)
  note(`${count(rows.length)} rows: ${parts.join(', ')}. ${credits(charged)} charged.`)
  if (counts.has('no_record')) note(aboutNoRecord)
}
