const countries: readonly (readonly [code: string, ...names: string[]])[] = [
  ['DK', 'Denmark', 'Danmark'],
  ['MT', 'Malta'],
  ['GI', 'Gibraltar'],
  ['GB', 'United Kingdom', 'UK', 'Great Britain', 'England', 'Scotland', 'Wales', 'Northern Ireland'],
  ['IM', 'Isle of Man'],
  ['GG', 'Guernsey', 'Alderney'],
  ['JE', 'Jersey'],
  ['IE', 'Ireland', 'Irland'],
  ['SE', 'Sweden', 'Sverige'],
  ['NO', 'Norway', 'Norge'],
  ['FI', 'Finland'],
  // The Danish `Island` is omitted: addresses in many countries end in the name of an island.
  ['IS', 'Iceland'],
  ['FO', 'Faroe Islands', 'Færøerne'],
  ['GL', 'Greenland', 'Grønland'],
  ['DE', 'Germany', 'Tyskland'],
  ['AT', 'Austria', 'Østrig'],
  ['CH', 'Switzerland', 'Schweiz'],
  ['NL', 'Netherlands', 'Holland'],
  ['BE', 'Belgium', 'Belgien'],
  ['LU', 'Luxembourg'],
  ['FR', 'France', 'Frankrig'],
  ['ES', 'Spain', 'Spanien'],
  ['EE', 'Estonia', 'Estland'],
  ['LV', 'Latvia', 'Letland'],
  ['LT', 'Lithuania', 'Litauen'],
  ['CY', 'Cyprus', 'Cypern'],
  ['BG', 'Bulgaria', 'Bulgarien'],
  ['CW', 'Curaçao', 'Curacao'],
]

/** Longest first: `Northern Ireland` is not Ireland. */
const names = countries
  .flatMap(([code, ...printed]) => printed.map(name => ({ code, name: name.toLowerCase() })))
  .toSorted((one, other) => other.name.length - one.name.length)

/** Four digits and a town end a Danish address without a country. */
const danishTown = /(?:^|[\s,-])\d{4}\s+\p{Lu}[\p{L}.]*(?:\s+\p{Lu}[\p{L}.]*){0,3}$/u

/** Returns the ISO 3166-1 alpha-2 code of the last words; null if they name no country. */
export function countryOfAddress(address: string): string | null {
  const text = address
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replace(/(?<![.,;])[.,;]+$/, '')
  const lower = text.toLowerCase()
  const found = names.find(({ name }) => lower === name || /[\s,-]/.test(before(lower, name)))
  if (found !== undefined) return found.code
  return danishTown.test(text) ? 'DK' : null
}

function before(address: string, name: string): string {
  return address.endsWith(name) ? address.slice(0, -name.length).slice(-1) : ''
}
