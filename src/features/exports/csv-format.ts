import { csvText } from '../../core/csv-cell.ts'
import { type FileFormat, yieldToEventLoop } from './file-format.ts'
import { matchingLines } from './matching-store.ts'

const rowsAtOnce = 1_000
const rowsPerBatch = 250

/** §4.17: four columns; without rows the file is empty. */
export const csvFormat: FileFormat = {
  head: csvText([['domain_normalized', 'company_name', 'status', 'last_enriched_at']]),
  separator: '',
  tail: '',
  empty: '',
  async *batches(tx, { filters, rowsMax }) {
    for await (const lines of matchingLines(tx, { filters, rowsMax, rowsAtOnce })) {
      for (let first = 0; first < lines.length; first += rowsPerBatch) {
        const batch = lines.slice(first, first + rowsPerBatch)
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
