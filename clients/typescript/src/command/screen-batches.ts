import { type Baize, BaizeError, QuotaExceededError, type ResolveDomainsAnswer } from '../index.ts'
import { counted, credits, grouped } from './command.ts'
import type { Journal, JournalBatch } from './journal.ts'
import { planBatches } from './plan-batches.ts'
import type { Sheet } from './read-sheet.ts'

/** The answer to a batch with its time, and the id of its request, which the statement lists. */
export type Screened = { data: ResolveDomainsAnswer; timestamp: string; requestId: string }
export type Run = {
  baize: Baize
  sheet: Sheet
  inputs: Inputs
  journal: Journal<Screened>
  signal: AbortSignal
  /** The credits charged in this run. A replay was paid before. */
  chargedNow: number
}

export type Inputs = {
  /** The domain of each row, as it is sent. */
  all: string[]
  /** The distinct domains, without those that the service would refuse. */
  sent: string[]
  tooLong: Set<string>
}

/** Returns the inputs that are in no sent batch. */
export function openInputs({ inputs, journal }: Run): string[] {
  const sent = new Set([...journal.answers.values(), ...journal.unanswered].flatMap(batch => batch.inputs))
  return inputs.sent.filter(input => !sent.has(input))
}

export function tooExpensive(most: number, max: number, charged = 0): BaizeError {
  const sofar = charged === 0 ? 'Nothing was charged.' : `${credits(charged)} charged.`
  return new BaizeError(`It could cost ${credits(most)}; --max-credits allows ${max}. ${sofar}`)
}

export async function resolveAll(
  run: Run,
  { max, covered }: { max: number | undefined; covered: number },
): Promise<void> {
  const { inputs, journal } = run
  const progress = () => drawProgress(screened(run), inputs.sent.length, chargedBefore(run) + run.chargedNow)
  for (const batch of journal.unanswered) {
    await resolveBatch(run, batch, max)
    progress()
  }
  let left = covered
  for (const batch of planBatches(openInputs(run))) {
    const affordable = batch.slice(0, left)
    if (affordable.length === 0) break
    left -= await resolveBatch(run, journal.begin(affordable), max)
    progress()
  }
  const missing = openInputs(run).length
  if (missing > 0)
    throw new BaizeError(
      `The balance covered ${grouped(screened(run))} of ${counted(inputs.sent.length, 'input')}. ` +
        `With more credits the same command continues with the other ${grouped(missing)}.`,
    )
}

const screened = ({ journal }: Run): number =>
  [...journal.answers.values()].reduce((sum, { inputs }) => sum + inputs.length, 0)

/** Resolves a batch. Returns the credits charged. */
async function resolveBatch(run: Run, batch: JournalBatch, max: number | undefined): Promise<number> {
  const { baize, journal, signal } = run
  const domains = batch.inputs
  // A batch counted as free may cost its full price, because its first attempt may not have been paid.
  const most = run.chargedNow + domains.length
  if (max !== undefined && most > max) throw tooExpensive(most, max, run.chargedNow)
  try {
    // Limits the charge to the price that the user has agreed to.
    const body = { domains, checked_streams: true, max_credits: domains.length, ...stateOf(journal) }
    const reply = await baize.resolveDomains(body, { signal, idempotencyKey: batch.key }).withResponse()
    const { timestamp } = JSON.parse(reply.text)
    journal.save(batch, { data: reply.data, timestamp, requestId: reply.requestId ?? '' })
    const charged = reply.isReplay ? 0 : (reply.creditsCharged ?? domains.length)
    run.chargedNow += charged
    return charged
  } catch (error) {
    if (error instanceof QuotaExceededError) journal.drop(batch)
    throw error
  }
}

/**
 * Returns the moment of the first answer, so that all batches of a run are of one state. A service that has
 * read no register has no history to ask for.
 */
function stateOf({ answers }: Journal<Screened>): { known_at?: string } {
  const [first] = [...answers.values()].map(({ answer }) => answer)
  return first === undefined || first.data.checked.oldest_snapshot_at === null
    ? {}
    : { known_at: first.data.known_at ?? first.timestamp }
}

export const chargedBefore = ({ journal, chargedNow }: Run): number =>
  [...journal.answers.values()].reduce((sum, { answer }) => sum + answer.data.credits_charged, 0) - chargedNow

const barLength = 30

/** Draws the progress over the same line of stderr. It draws nothing without a terminal. */
function drawProgress(done: number, total: number, charged: number): void {
  if (!process.stderr.isTTY) return
  const filled = Math.floor((done / total) * barLength)
  const bar = '#'.repeat(filled).padEnd(barLength, '.')
  const end = done === total ? '\n' : ''
  process.stderr.write(`\r[${bar}] ${grouped(done)} of ${grouped(total)}, ${credits(charged)} charged${end}`)
}
