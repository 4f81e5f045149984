import { readFileSync } from 'node:fs'

/**
 * A market of §2.2, or an added one such as `ukraine`: a jurisdiction that licenses or blocks gambling. Some
 * have no register stream yet.
 */
export type Market = {
  code: string
  /** The English name, such as `Great Britain` or `New Jersey (US)`. */
  name: string
  /** The ISO 3166-1 alpha-2 code; null for a market outside of any country. */
  country: string | null
  /** The regulator's name with its abbreviation, which people search for. */
  regulator: string
}

const lines = readFileSync(new URL('./data/markets.tsv', import.meta.url), 'utf8').split('\n')

/** The markets in the order of §2.2, then the added ones. */
export const markets: readonly Market[] = lines
  .filter(line => line !== '' && !line.startsWith('#'))
  .map(line => {
    const [code = '', name = '', country = '', regulator = ''] = line.split('	')
    return { code, name, country: country === '' ? null : country, regulator }
  })

const byCode = new Map(markets.map(market => [market.code, market]))

export function findMarket(code: string): Market | undefined {
  return byCode.get(code)
}
