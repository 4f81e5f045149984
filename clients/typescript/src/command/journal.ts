import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { BaizeError } from '../index.ts'

/** The days for which the service stores an answer. */
const replayDaysMax = 7

export type JournalBatch = { key: string; inputs: string[] }
type Sent = JournalBatch & { at: string }

/**
 * A file beside the output, so that a killed run continues without paying twice. Before a batch is sent the
 * journal stores its key and inputs, and later its answer. Entries are lines of JSON, each on the disk
 * before the work continues. The journal exists until the output is written.
 */
export class Journal<Answer> {
  readonly path: string
  /** The answered batches by key. */
  readonly answers = new Map<string, { inputs: string[]; answer: Answer }>()
  readonly #sent = new Map<string, Sent>()
  readonly #file: number

  /** Opens the journal of a run, whose `identity` is the service and the inputs. */
  constructor(path: string, identity: unknown) {
    this.path = path
    const header = JSON.stringify({
      baize_verdicts: 2,
      sha256: createHash('sha256').update(JSON.stringify(identity)).digest('hex'),
    })
    const stored = existsSync(path) ? readFileSync(path, 'utf8') : ''
    // Drops a line without an end, because the process was killed while writing it.
    const whole = stored.slice(0, stored.lastIndexOf('\n') + 1)
    const [first, ...lines] = whole.split('\n').slice(0, -1)
    if (first !== undefined && first !== header)
      throw new BaizeError(
        `${path} is of other inputs or another service. Delete it, or choose another --out.`,
      )
    for (const line of lines) this.#restore(JSON.parse(line))
    this.#file = openSync(path, 'a')
    ftruncateSync(this.#file, Buffer.byteLength(whole))
    if (first === undefined) this.#append(header)
  }

  /** Is true if no batch was sent. */
  get isUnused(): boolean {
    return this.#sent.size + this.answers.size === 0
  }

  /**
   * The batches without an answer. They may be paid already; sending them again with their keys is then
   * free.
   */
  get unanswered(): JournalBatch[] {
    return [...this.#sent.values()]
      .filter(({ at }) => Date.now() - Date.parse(at) < replayDaysMax * 86_400_000)
      .map(({ key, inputs }) => ({ key, inputs }))
  }

  /** Stores a new batch. Call it before sending the batch. */
  begin(inputs: string[]): JournalBatch {
    const batch = { key: crypto.randomUUID(), inputs }
    const sent = { ...batch, at: new Date().toISOString() }
    this.#sent.set(batch.key, sent)
    this.#append(JSON.stringify(sent))
    return batch
  }

  save({ key, inputs }: JournalBatch, answer: Answer): void {
    this.answers.set(key, { inputs, answer })
    this.#sent.delete(key)
    this.#append(JSON.stringify({ key, answer }))
  }

  /** Removes a batch for which the service has answered that it charged nothing. */
  drop({ key }: JournalBatch): void {
    this.#sent.delete(key)
    this.#append(JSON.stringify({ key, dropped: true }))
  }

  close(isDone: boolean): void {
    closeSync(this.#file)
    if (isDone) rmSync(this.path, { force: true })
  }

  #restore(entry: Sent | { key: string; answer: Answer } | { key: string; dropped: true }): void {
    if ('at' in entry) this.#sent.set(entry.key, entry)
    else {
      const inputs = this.#sent.get(entry.key)?.inputs ?? []
      if ('answer' in entry) this.answers.set(entry.key, { inputs, answer: entry.answer })
      this.#sent.delete(entry.key)
    }
  }

  #append(line: string): void {
    writeSync(this.#file, `${line}\n`)
    fsyncSync(this.#file)
  }
}
