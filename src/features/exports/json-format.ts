import build from 'fast-json-stringify'
import { Type } from 'typebox'
import type { Static } from '../../core/operation.ts'
import { closed } from '../../core/schema.ts'
import { blockedBy, licensedBy, observations, observeDomains, verdictWord } from '../domains/index.ts'
import { type FileFormat, yieldToEventLoop } from './file-format.ts'
import { type MatchingDomain, matchingDomains } from './matching-store.ts'

const rowsAtOnce = 200
const rowsPerBatch = 50

const { observed_at, generated_at } = observations.properties.meta.properties

/** §2.9 and the verdict. The serialiser omits undeclared fields. */
export const exportRow = Type.Object(
  {
    ...observations.properties,
    meta: Type.Object({ observed_at, generated_at }, closed),
    verdict: verdictWord(),
    licensed_by: licensedBy,
    blocked_by: blockedBy,
  },
  { ...closed, named: 'ExportRow' },
)
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
    for await (const domains of matchingDomains(tx, { filters, rowsMax, rowsAtOnce })) {
      const observed = await observeDomains(observing, domains, fields)
      for (let first = 0; first < domains.length; first += rowsPerBatch) {
        const batch = observed.slice(first, first + rowsPerBatch).map((each, index): Row => {
          const { verdict, licensed_by, blocked_by } = domains[first + index] as MatchingDomain
          return { ...each, verdict, licensed_by, blocked_by }
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
