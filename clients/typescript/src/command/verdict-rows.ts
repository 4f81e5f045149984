import type { ResolveDomainAnswer } from '../index.ts'
import type { Table } from './output.ts'

type Verdict = Pick<
  ResolveDomainAnswer,
  'domain' | 'verdict' | 'licensed_by' | 'blocked_by' | 'mentioned_by' | 'company'
>

/** An input with its verdict, or why it has none. */
export type VerdictRow = { input: string } & (Verdict | { code: string; message: string })

/** `isWide`: every column, for programs; people get those that say something. */
export function verdictTable(rows: readonly VerdictRow[], isWide: boolean): Table {
  const lines = rows.map(row => cellsOf(row, isWide))
  const titles = Object.keys(lines[0] ?? {})
  const shown = isWide ? titles : titles.filter(title => lines.some(cells => cells[title] !== ''))
  return { titles: shown, lines: lines.map(cells => shown.map(title => cells[title] ?? '')) }
}

function cellsOf(row: VerdictRow, isWide: boolean): Record<string, string> {
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
    company: found?.company?.name ?? '',
    ...(isWide && { company_ref: found?.company?.company_ref ?? '' }),
    problem: 'code' in row ? `${row.code}: ${row.message}` : '',
  }
}
