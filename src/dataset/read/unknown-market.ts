import { findMarket, markets } from '../../core/markets.ts'
import { didYouMean } from '../../core/near-word.ts'
import { shown } from '../../core/shown-value.ts'
import type { DatasetRecord } from './parse-record.ts'

const marketCodes = markets.map(market => market.code)

/**
 * Why the market that a line names is none; null where it is one, or none is named. What is held of any other could be neither
 * filtered by nor asked for.
 */
export function unknownMarket(record: DatasetRecord): string | null {
  if (record.kind === 'license') return problemOf('jurisdiction', record.jurisdiction)
  if (record.kind === 'blocklist_entry') return problemOf('regulator', record.regulator)
  return null
}

function problemOf(field: string, code: string): string | null {
  if (findMarket(code) !== undefined) return null
  return `${field}: ${shown(code)} is the code of no market${didYouMean(code, marketCodes)}`
}
