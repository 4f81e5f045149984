import { readFileSync } from 'node:fs'

/**
 * Registrable domains of sites that help gamblers. Registers' pages link to them beside the sites of
 * licensees.
 */
export const helpSites: ReadonlySet<string> = new Set(
  readFileSync(new URL('help-sites.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#')),
)
