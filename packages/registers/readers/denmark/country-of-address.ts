import { readDataFile } from '../../read-data-file.ts'

const countries = readDataFile<Record<string, string[]>>(new URL('countries.yaml', import.meta.url))

/** The longest names come first, because `Northern Ireland` is not Ireland. */
const names = Object.entries(countries)
  .flatMap(([code, printed]) => printed.map(name => ({ code, name: name.toLowerCase() })))
  .toSorted((one, other) => other.name.length - one.name.length)

/** Matches four digits and a town, which end a Danish address without a country. */
const danishTown = /(?:^|[\s,-])\d{4}\s+\p{Lu}[\p{L}.]*(?:\s+\p{Lu}[\p{L}.]*){0,3}$/u

/** Returns the ISO 3166-1 alpha-2 code of the country that ends the address; null without one. */
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
