import type { RecordKind } from './read/record-schemas.ts'

type Counts = {
  added: number
  changed: number
  unchanged: number
  /** The number of skipped lines about suppressed people; only for contacts, and omitted if zero. */
  suppressed?: number
}

export type RejectedLine = { file: string; line: number; reason: string }

export type ImportReport = {
  /** The number of lines, without blank ones. */
  lines: number
  /**
   * The counts by kind, empty if nothing was loaded. A line that a later one replaces counts as unchanged.
   */
  loaded: Partial<Record<RecordKind, Counts>>
  rejected: number
  rejects: RejectedLine[]
  seconds: number
}

export const rejectsShownMax = 100

/** Converts positions, which count the lines of all files in order from 1, to files and lines. */
export class Places {
  readonly #files: { file: string; start: number }[] = []
  #position = 0

  beginFile(file: string): void {
    this.#files.push({ file, start: this.#position })
  }

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

/** Counts all rejected lines, and stores only the first ones. */
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
