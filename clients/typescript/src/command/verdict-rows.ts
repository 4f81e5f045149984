import type { ResolveDomainAnswer } from '../index.ts'
import type { Table } from './output.ts'
import type { Sheet } from './read-sheet.ts'
import type { Source } from './verdict-sources.ts'

type Verdict = Pick<
  ResolveDomainAnswer,
  'domain' | 'verdict' | 'licensed_by' | 'blocked_by' | 'mentioned_by' | 'company'
>

/** An input with its verdict, or with the reason why it has none. */
export type VerdictRow = { input: string } & (Verdict | { code: string; message: string })

/**
 * A row with the time of its answer, the age of its sources, and the id of its request, which the statement
 * lists.
 */
export type AnsweredRow = VerdictRow & {
  checked_at?: string
  /** The snapshots behind its listings. */
  sources?: Source[]
  oldest_snapshot_at?: string | null
  request_id?: string
}

/**
 * Returns the columns of the file, then those of the verdicts. A title that the file already has gets the
 * prefix `baize_`.
 */
export function screenedTable(sheet: Sheet, rows: readonly AnsweredRow[], isWide: boolean): Table {
  if (sheet.delimiter === null || !isWide) return verdictTable(rows, isWide)
  const lines = rows.map(({ input: _input, ...row }) => {
    const { input: _cell, ...cells } = cellsOf({ input: '', ...row } as AnsweredRow, true)
    return cells
  })
  const own = new Set(sheet.titles.map(title => title.toLowerCase()))
  const titles = titlesOf(lines)
  return {
    titles: [...sheet.titles, ...titles.map(title => (own.has(title) ? `baize_${title}` : title))],
    lines: lines.map((cells, at) => [...(sheet.rows[at] ?? []), ...titles.map(title => cells[title] ?? '')]),
  }
}

/**
 * Returns a table of verdicts. With `isWide` it has every column, for programs; otherwise only columns with
 * values.
 */
export function verdictTable(rows: readonly AnsweredRow[], isWide: boolean): Table {
  const lines = rows.map(row => cellsOf(row, isWide))
  const titles = titlesOf(lines)
  const shown = isWide ? titles : titles.filter(title => lines.some(cells => cells[title] !== ''))
  return { titles: shown, lines: lines.map(cells => shown.map(title => cells[title] ?? '')) }
}

/** Rows that were not sent lack the last columns. */
const titlesOf = (lines: readonly Record<string, string>[]): string[] => [
  ...new Set(lines.flatMap(cells => Object.keys(cells))),
]

const sourceText = ({ stream, snapshot_ref, last_snapshot_at }: Source): string =>
  [stream, snapshot_ref, last_snapshot_at].join(' ')

function cellsOf(row: AnsweredRow, isWide: boolean): Record<string, string> {
  const found = 'code' in row ? null : row
  const listings = (listed: Verdict['blocked_by'] | Verdict['mentioned_by'] = []) =>
    listed
      .map(({ geo, listed_as }) => (isWide || listed_as !== found?.domain ? `${geo} ${listed_as}` : geo))
      .join('; ')
  return {
    input: row.input,
    ...(isWide && { domain: found?.domain ?? '' }),
    verdict: found?.verdict ?? '',
    licensed_by: (found?.licensed_by ?? [])
      .map(({ geo, license_number }) => [geo, license_number].join(' ').trim())
      .join('; '),
    blocked_by: listings(found?.blocked_by),
    mentioned_by: listings(found?.mentioned_by),
    regime: found === null ? '' : regimesOf(found),
    company: found?.company?.name ?? '',
    ...(isWide && { company_ref: found?.company?.company_ref ?? '' }),
    problem: 'code' in row ? `${row.code}: ${row.message}` : '',
    ...(isWide &&
      'checked_at' in row && {
        checked_at: row.checked_at ?? '',
        sources: (row.sources ?? []).map(sourceText).join('; '),
        oldest_snapshot_at: row.oldest_snapshot_at ?? '',
        request_id: row.request_id ?? '',
      }),
  }
}

/** Returns what the law of its markets says, where it is neither open nor licensed alone. */
function regimesOf({ licensed_by, blocked_by }: Verdict): string {
  const stated = [...licensed_by, ...blocked_by].flatMap(({ geo, regime }) =>
    regime === undefined ? [] : [`${geo}: ${regime.state.replaceAll('_', ' ')} since ${regime.from}`],
  )
  return [...new Set(stated)].join('; ')
}
