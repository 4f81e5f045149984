import type { Transaction } from '../../database/open.ts'
import type { ObservationSection } from '../domains/index.ts'
import type { ExportFilters } from './filters.ts'

/** Some rows of a file, read and not yet written. */
export type Batch = {
  rows: number
  /** Whether a row delivers an available Operator Launch Profile, which is charged. */
  hasProfile(row: number): boolean
  /** The first so many of them as text. */
  text(rows: number): string
}

export type ReadingJob = {
  filters: ExportFilters
  fields: readonly ObservationSection[]
  /** No more than this are wanted. */
  rowsMax: number
  now: Date
  logoUrl: string
}

/** How a kind of file is made of what matches. */
export type FileFormat = {
  /** Before the first row, between batches, and behind the last row. */
  head: string
  separator: string
  tail: string
  /** The whole file, if there are no rows. */
  empty: string
  /** Small enough that making one into text holds up nothing else that this process answers. */
  batches(tx: Transaction, job: ReadingJob): AsyncGenerator<Batch, void>
}

/** Lets what else waits in this process go on. */
export const yieldToEventLoop = () => new Promise<void>(next => setImmediate(next))
