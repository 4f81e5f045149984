import { didYouMean, findMarket, markets, shown } from '@baize/names'
import type { DatasetRecord } from './parse-record.ts'

const marketCodes = markets.map(market => market.code)

/**
 * Returns why the market of a line is unknown, or null. No request could ask for facts of an unknown
 * market.
 */
export function unknownMarket(record: DatasetRecord): string | null {
  if (record.kind === 'license') return problemOf('jurisdiction', record.jurisdiction)
  if (record.kind === 'blocklist_entry') return problemOf('regulator', record.regulator)
  return null
}

function problemOf(field: string, code: string): string | null {
  if (findMarket(code) !== undefined) return null
  return `${field}: ${shown(code)} is not a market code${didYouMean(code, marketCodes)}`
}
