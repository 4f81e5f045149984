export type Row = Record<string, string | number>

/** Prints aligned columns, named by the members of the first row. Numbers have at most two decimals. */
export function tableOf(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? {})
  const lines = [names, ...rows.map(row => names.map(name => textOf(row[name] ?? '-')))]
  const widths = names.map((_, column) => Math.max(...lines.map(line => line[column]?.length ?? 0)))
  return lines
    .map(line =>
      line
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] as number) : cell.padStart(widths[column] as number),
        )
        .join('  '),
    )
    .join('\n')
}

const textOf = (value: string | number): string =>
  typeof value === 'string' || Number.isInteger(value) ? String(value) : value.toFixed(2)
