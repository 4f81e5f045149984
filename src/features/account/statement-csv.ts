import { type CsvOptions, csvText } from '../../core/csv-cell.ts'
import type { StatementEntry, StatementReader } from './account-statement.ts'

type Write = (text: string) => Promise<void>

const columns = [
  'recorded_at',
  'kind',
  'price_key',
  'units',
  'credits',
  'balance',
  'endpoint',
  'request_id',
  'note',
] as const

/** With a first day, the row `opening` has the balance before it. */
export function statementCsv(write: Write, options: CsvOptions = {}): StatementReader {
  return {
    async head({ from, opening }) {
      await write(csvText([[...columns]]))
      if (from !== null)
        await write(csvText([[from, 'opening', null, null, null, opening.balance, null, null, null]]))
    },
    entry: entry => write(csvText([columns.map(column => csvCellOf(entry, column))], options)),
    foot: async () => {},
  }
}

/** Charges are negative, so that the column adds up. */
function csvCellOf(entry: StatementEntry, column: (typeof columns)[number]): string | number | null {
  if (column === 'recorded_at') return entry.recorded_at.toISOString()
  if (column === 'credits') return entry.kind === 'grant' ? entry.credits : -entry.credits
  return entry[column]
}
