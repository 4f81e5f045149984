import build from 'fast-json-stringify'
import type { Static } from '../../core/operation.ts'
import { closedObject, namedObject } from '../../core/schema.ts'
import type { Transaction } from '../../database/open.ts'
import { csvText } from '../csv-text.ts'
import {
  blockedBy,
  licensedBy,
  type ObservationSection,
  observations,
  observeDomains,
  verdictWord,
} from '../domains/index.ts'
import { readInForce } from '../regimes/index.ts'
import type { ExportFilters } from './filters.ts'
import { type MatchingDomain, matchingDomains, matchingLines } from './matching-store.ts'

export type ExportBatch = {
  rows: number
  /** Returns true if the row has an Operator Launch Profile, which is charged. */
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
  /** Yields batches small enough that serialising one does not block other requests. */
  batches(tx: Transaction, job: ReadingJob): AsyncGenerator<ExportBatch, void>
}

const yieldToEventLoop = () => new Promise<void>(resolve => setImmediate(resolve))

const linesAtOnce = 1_000
const linesPerBatch = 250

/** Writes CSV (§4.17): four columns, or an empty file without rows. */
export const csvFormat: FileFormat = {
  head: csvText([['domain_normalized', 'company_name', 'status', 'last_enriched_at']]),
  separator: '',
  tail: '',
  empty: '',
  async *batches(tx, { filters, rowsMax }) {
    for await (const lines of matchingLines(tx, { filters, rowsMax, rowsAtOnce: linesAtOnce })) {
      for (let first = 0; first < lines.length; first += linesPerBatch) {
        const batch = lines.slice(first, first + linesPerBatch)
        yield {
          rows: batch.length,
          hasProfile: () => false,
          text: rows =>
            csvText(
              batch
                .slice(0, rows)
                .map(line => [line.domain, line.company_name, line.status, line.last_enriched_at]),
            ),
        }
        await yieldToEventLoop()
      }
    }
  },
}

const rowsAtOnce = 200
const rowsPerBatch = 50

const { observed_at, generated_at } = observations.properties.meta.properties

/** A row of a JSON export: observations (§2.9) and the verdict. The serialiser omits undeclared fields. */
export const exportRow = namedObject('ExportRow', {
  ...observations.properties,
  meta: closedObject({ observed_at, generated_at }),
  verdict: verdictWord(),
  licensed_by: licensedBy,
  blocked_by: blockedBy,
})
type Row = Static<typeof exportRow>

let compiled: ((row: Row) => string) | null = null

function rowWriter(): (row: Row) => string {
  compiled ??= build(exportRow as unknown as build.AnySchema) as (row: Row) => string
  return compiled
}

export const jsonFormat: FileFormat = {
  head: '[\n',
  separator: ',\n',
  tail: '\n]\n',
  empty: '[]\n',
  async *batches(tx, { filters, fields, rowsMax, now, logoUrl }) {
    const observing = { database: tx, now, logoUrl }
    const write = rowWriter()
    const regimes = await readInForce(tx, now)
    for await (const domains of matchingDomains(tx, { filters, rowsMax, rowsAtOnce })) {
      const observed = await observeDomains(observing, domains, fields)
      for (let first = 0; first < domains.length; first += rowsPerBatch) {
        const batch = observed.slice(first, first + rowsPerBatch).map((each, index): Row => {
          const { verdict, licensed_by, blocked_by } = domains[first + index] as MatchingDomain
          return {
            ...each,
            verdict,
            licensed_by: regimes.addToEach(licensed_by),
            blocked_by: regimes.addToEach(blocked_by),
          }
        })
        yield {
          rows: batch.length,
          hasProfile: row => batch[row]?.operator_launch_profile?.availability === 'available',
          text: rows => batch.slice(0, rows).map(write).join(',\n'),
        }
        await yieldToEventLoop()
      }
    }
  },
}
