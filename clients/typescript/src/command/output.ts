import type { Command, Flags } from './command.ts'
import { UsageError } from './command.ts'

export type Format = 'table' | 'csv' | 'json'

export const formatOptions = {
  json: { type: 'boolean' },
  csv: { type: 'boolean' },
} satisfies Command['options']

export function formatOf({ json, csv }: Flags, otherwise: Format = 'table'): Format {
  if (json && csv) throw new UsageError('With --json, omit --csv.')
  return json ? 'json' : csv ? 'csv' : otherwise
}

/** The titles of the columns, and the cells of each row. */
export type Table = { titles: readonly string[]; lines: readonly (readonly string[])[] }

/** Prints a table in the chosen format. JSON shows `values`; a list has one element on each line. */
export function render(
  format: Format,
  { titles, lines }: Table,
  { values, delimiter = ',' }: { values: unknown; delimiter?: string },
): string {
  if (format === 'csv') return [titles, ...lines].map(cells => csvLine(cells, delimiter)).join('')
  if (format === 'table') return tableOf([titles.map(title => title.toUpperCase()), ...lines])
  if (!Array.isArray(values)) return `${JSON.stringify(values, null, 2)}\n`
  return values.length === 0 ? '[]\n' : `[\n${values.map(each => JSON.stringify(each)).join(',\n')}\n]\n`
}

/** Prints a line of CSV (RFC 4180), with the delimiter of the input. */
const csvLine = (cells: readonly string[], delimiter: string): string =>
  `${cells
    .map(cell =>
      cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
    )
    .join(delimiter)}\r\n`

function tableOf(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, column) =>
    lines.reduce((widest, line) => Math.max(widest, line[column]?.length ?? 0), 0),
  )
  const text = (line: readonly string[]) => line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')
  return lines.map(line => `${text(line).trimEnd()}\n`).join('')
}

/** Writes to stdout, and waits until the system has taken the text. A slow reader delays it. */
export function write(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, error => (error ? reject(error) : resolve()))
  })
}

/** Returns one record as a table. Its fields are columns in CSV, and otherwise lines. */
export function tableFromFields(format: Format, fields: Record<string, string>): Table {
  const [titles, cells] = [Object.keys(fields), Object.values(fields)]
  if (format !== 'table') return { titles, lines: [cells] }
  return { titles: ['field', 'value'], lines: titles.map((title, at) => [title, cells[at] ?? '']) }
}
