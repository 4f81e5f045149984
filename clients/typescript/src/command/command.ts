import type { ParseArgsConfig } from 'node:util'

export type Flags = Record<string, string | boolean | (string | boolean)[] | undefined>

/** A command of `baize-api`. Each has its own file. */
export type Command = {
  /** One line for `--help`. */
  summary: string
  /** The arguments and options as `--help` shows them, one on each line. */
  usage: string
  options: NonNullable<ParseArgsConfig['options']>
  /** Returns the exit code. */
  run(args: readonly string[], flags: Flags): Promise<number>
}

/** Reports wrong arguments. The command exits with 2. */
export class UsageError extends Error {}

/** Reads a number flag. Returns undefined if it was not given. */
export function numberOf(flags: Flags, name: string): number | undefined {
  const value = flags[name]
  if (value === undefined) return undefined
  if (!/^\d{1,9}$/.test(String(value))) throw new UsageError(`--${name} must be a whole number, at least 0.`)
  return Number(value)
}

export const note = (text: string): void => void process.stderr.write(`${text}\n`)

export const grouped = (value: number): string => value.toLocaleString('en-US')

/** Prints `1 row` or `2 rows`. */
export const counted = (value: number, noun: string): string =>
  `${grouped(value)} ${noun}${value === 1 ? '' : 's'}`

export const credits = (value: number): string => counted(value, 'credit')

export const aboutNoRecord =
  'no_record: no regulator record is stored. It does not mean that the site is unlicensed.'
