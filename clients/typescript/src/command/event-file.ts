import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { BaizeError } from '../index.ts'

export type Event = { signal_ref: string }

/**
 * A file of events, one JSON text on each line. It contains each event once, even if the process was often
 * killed.
 */
export class EventFile {
  readonly #file: number
  readonly #path: string
  /** The length of the file up to the last event before the cursor. */
  #bytes: number
  /** Lines after `#bytes`, which were written before the cursor was saved. */
  readonly #ahead: Buffer[]

  constructor(path: string, bytes: number) {
    this.#path = path
    this.#file = openSync(path, 'a+')
    const { size } = fstatSync(this.#file)
    // A shorter file was emptied or replaced, so writing continues at its end.
    this.#bytes = Math.min(bytes, size)
    const rest = Buffer.alloc(size - this.#bytes)
    readSync(this.#file, rest, 0, rest.length, this.#bytes)
    // Drops a line without an end, because the process was killed while writing it.
    const whole = rest.subarray(0, rest.lastIndexOf('\n') + 1)
    ftruncateSync(this.#file, this.#bytes + whole.length)
    this.#ahead = linesOf(whole)
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Writes an event. Its line is on the disk when this returns. */
  write(event: Event): void {
    const ahead = this.#ahead.shift()
    if (ahead !== undefined) {
      if (!ahead.includes(JSON.stringify(event.signal_ref)))
        throw new BaizeError(`Another program wrote to ${this.#path}. Give each program a file of its own.`)
      this.#bytes += ahead.length
      return
    }
    this.#bytes += writeSync(this.#file, `${JSON.stringify(event)}\n`)
    fdatasyncSync(this.#file)
  }

  close(): void {
    closeSync(this.#file)
  }
}

function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = []
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf('\n', from) + 1
    lines.push(bytes.subarray(from, end))
    from = end
  }
  return lines
}
