import { readFileSync } from 'node:fs'

/** Reads the release from package.json. */
export function readVersion(): string {
  const file = new URL('../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

/** The user agent for requests to sites and to sources of the operator. */
export const userAgentOf = (baseUrl: string): string => `Baize/${readVersion()} (+${baseUrl})`

/** Returns whether npm started this process through a shell. */
export const isRunByNpm = (): boolean => process.env.npm_lifecycle_event !== undefined
