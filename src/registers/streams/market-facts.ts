import { findMarket } from '../../core/markets.ts'
import type { Description } from '../described/description-schema.ts'
import type { Stream } from '../stream.ts'

export function marketFacts(code: string): Pick<Stream, 'market' | 'regulator' | 'regulatorCountryCode'> {
  const market = findMarket(code)
  if (market === undefined || market.country === null)
    throw new Error(`"${code}" is not a market with a country; see core/markets.ts`)
  return { market: code, regulator: market.regulator, regulatorCountryCode: market.country }
}

/** The same facts under the keys of a description. */
export function describedMarket(
  code: string,
): Pick<Description, 'market' | 'regulator' | 'regulator_country_code'> {
  const { market, regulator, regulatorCountryCode } = marketFacts(code)
  return { market, regulator, regulator_country_code: regulatorCountryCode }
}
