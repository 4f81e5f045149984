import type { RecordKind } from './read/record-schemas.ts'

export type Counts = {
  added: number
  changed: number
  unchanged: number
  /** Contacts only: skipped lines about suppressed people; omitted if zero. */
  suppressed?: number
}

export type RejectedLine = { file: string; line: number; reason: string }

export type ImportReport = {
  /** Lines read, without blank ones; each was loaded or rejected. */
  lines: number
  /** By kind. A line replaced by a later one about the same record is unchanged. Empty if nothing was loaded. */
  loaded: Partial<Record<RecordKind, Counts>>
  rejected: number
  /** The first of them, in file order. */
  rejects: RejectedLine[]
  seconds: number
}

export const rejectsShownMax = 100

/** Converts positions to files and lines. A position counts the lines of all files in order, from 1. */
export class Places {
  readonly #files: { file: string; start: number }[] = []
  #position = 0

  beginFile(file: string): void {
    this.#files.push({ file, start: this.#position })
  }

  /** The position of a line of the current file. */
  at(line: number): number {
    this.#position = (this.#files.at(-1)?.start ?? 0) + line
    return this.#position
  }

  placeOf(position: number): { file: string; line: number } {
    const found = this.#files.findLast(({ start }) => start < position)
    if (found === undefined) throw new RangeError(`no line at position ${position}`)
    return { file: found.file, line: position - found.start }
  }
}

/** Rejected lines: all are counted, the first ones stored. */
export class Rejects {
  count = 0
  #shown: { position: number; reason: string }[] = []

  add(position: number, reason: string): void {
    this.addMany(1, [{ position, reason }])
  }

  addMany(count: number, shown: readonly { position: number; reason: string }[]): void {
    this.count += count
    if (shown.length === 0) return
    this.#shown.push(...shown)
    if (this.#shown.length > 2 * rejectsShownMax) this.#shown = this.#first()
  }

  shown(places: Places): RejectedLine[] {
    return this.#first().map(({ position, reason }) => ({ ...places.placeOf(position), reason }))
  }

  #first() {
    return this.#shown.toSorted((a, b) => a.position - b.position).slice(0, rejectsShownMax)
  }
}
