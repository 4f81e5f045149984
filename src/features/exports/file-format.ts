import type { Transaction } from '../../database/open.ts'
import type { ObservationSection } from '../domains/index.ts'
import type { ExportFilters } from './filters.ts'

export type Batch = {
  rows: number
  /** Such a row is charged for an available Operator Launch Profile. */
  hasProfile(row: number): boolean
  text(rows: number): string
}

type ReadingJob = {
  filters: ExportFilters
  fields: readonly ObservationSection[]
  rowsMax: number
  now: Date
  logoUrl: string
}

export type FileFormat = {
  head: string
  separator: string
  tail: string
  empty: string
  /** Small enough that serialising a batch does not block other requests. */
  batches(tx: Transaction, job: ReadingJob): AsyncGenerator<Batch, void>
}

export const yieldToEventLoop = () => new Promise<void>(resolve => setImmediate(resolve))
