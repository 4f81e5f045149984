import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { BaizeError } from '../index.ts'

export type Event = { signal_ref: string }

/** A file of events, one JSON text a line, that has each once, however often the process was killed. */
export class EventFile {
  readonly #file: number
  readonly #path: string
  /** Up to the last event that the cursor knows. */
  #bytes: number
  /** Lines after it: they were written before the cursor was saved. */
  readonly #ahead: Buffer[]

  constructor(path: string, bytes: number) {
    this.#path = path
    this.#file = openSync(path, 'a+')
    const { size } = fstatSync(this.#file)
    // A shorter file was emptied or replaced: it goes on at its end.
    this.#bytes = Math.min(bytes, size)
    const rest = Buffer.alloc(size - this.#bytes)
    readSync(this.#file, rest, 0, rest.length, this.#bytes)
    // A line without an end was being written.
    const whole = rest.subarray(0, rest.lastIndexOf('\n') + 1)
    ftruncateSync(this.#file, this.#bytes + whole.length)
    this.#ahead = linesOf(whole)
  }

  get bytes(): number {
    return this.#bytes
  }

  /** On the disk when it returns. */
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
