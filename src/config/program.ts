import { readVersion } from '../core/version.ts'

/** The user agent for requests to sites and to sources of the operator. */
export const userAgentOf = (baseUrl: string): string => `Baize/${readVersion()} (+${baseUrl})`

/** Returns whether npm started this process through a shell. */
export const isRunByNpm = (): boolean => process.env.npm_lifecycle_event !== undefined
