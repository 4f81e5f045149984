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

/** What the service keeps an answer for. */
const replayDaysMax = 7

type Entry = { batch: number; key: string; at: string } | { batch: number; answer: unknown }

/**
 * Beside the output until that is written: the key of each batch before it is sent, and its answer. Lines
 * of JSON, each on the disk before the work goes on, so that a run that was killed continues without
 * paying twice.
 */
export class Journal<Answer> {
  readonly path: string
  readonly answers = new Map<number, Answer>()
  readonly #keys = new Map<number, string>()
  readonly #file: number

  /** `identity`: what the batches are made of. */
  constructor(path: string, identity: unknown) {
    this.path = path
    const header = JSON.stringify({
      baize_verdicts: 1,
      sha256: createHash('sha256').update(JSON.stringify(identity)).digest('hex'),
    })
    const stored = existsSync(path) ? readFileSync(path, 'utf8') : ''
    // A line without an end was being written when its process was killed.
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

  /** No batch was sent. */
  get isUnused(): boolean {
    return this.#keys.size + this.answers.size === 0
  }

  /** It has no answer here, but may be paid: then its key makes it free. */
  mayBePaid(batch: number): boolean {
    return this.#keys.has(batch) && !this.answers.has(batch)
  }

  /** The key of a batch that was sent, perhaps, or of one that will be. */
  keyOf(batch: number): string {
    const known = this.#keys.get(batch)
    if (known !== undefined) return known
    const key = crypto.randomUUID()
    this.#keys.set(batch, key)
    this.#append(JSON.stringify({ batch, key, at: new Date().toISOString() } satisfies Entry))
    return key
  }

  save(batch: number, answer: Answer): void {
    this.answers.set(batch, answer)
    this.#append(JSON.stringify({ batch, answer } satisfies Entry))
  }

  close(isDone: boolean): void {
    closeSync(this.#file)
    if (isDone) rmSync(this.path, { force: true })
  }

  #restore(entry: Entry): void {
    if ('answer' in entry) this.answers.set(entry.batch, entry.answer as Answer)
    else if (Date.now() - Date.parse(entry.at) < replayDaysMax * 86_400_000)
      this.#keys.set(entry.batch, entry.key)
  }

  #append(line: string): void {
    writeSync(this.#file, `${line}\n`)
    fsyncSync(this.#file)
  }
}
