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

/** Column titles, and a line of cells for each row. */
export type Table = { titles: readonly string[]; lines: readonly (readonly string[])[] }

/** `values`: what JSON shows, one element a line if it is a list. */
export function render(format: Format, { titles, lines }: Table, values: unknown): string {
  if (format === 'csv') return [titles, ...lines].map(csvLine).join('')
  if (format === 'table') return tableOf([titles.map(title => title.toUpperCase()), ...lines])
  if (!Array.isArray(values)) return `${JSON.stringify(values, null, 2)}\n`
  return values.length === 0 ? '[]\n' : `[\n${values.map(each => JSON.stringify(each)).join(',\n')}\n]\n`
}

/** RFC 4180. */
const csvLine = (cells: readonly string[]): string =>
  `${cells.map(cell => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`

function tableOf(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, column) =>
    lines.reduce((widest, line) => Math.max(widest, line[column]?.length ?? 0), 0),
  )
  const text = (line: readonly string[]) => line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')
  return lines.map(line => `${text(line).trimEnd()}\n`).join('')
}

/** Waits until the text is handed on, which a slow reader delays. */
export function write(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, error => (error ? reject(error) : resolve()))
  })
}

/** For one thing: its fields are lines of a table, but columns of a CSV. */
export function fieldsOf(format: Format, fields: Record<string, string>): Table {
  const [titles, cells] = [Object.keys(fields), Object.values(fields)]
  if (format !== 'table') return { titles, lines: [cells] }
  return { titles: ['field', 'value'], lines: titles.map((title, at) => [title, cells[at] ?? '']) }
}
