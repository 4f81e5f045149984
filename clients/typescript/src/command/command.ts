import type { ParseArgsConfig } from 'node:util'

export type Flags = Record<string, string | boolean | (string | boolean)[] | undefined>

/** One command a file. */
export type Command = {
  /** What it does, in one line. */
  summary: string
  /** Arguments and options, a line each, as `--help` shows them. */
  usage: string
  options: NonNullable<ParseArgsConfig['options']>
  /** Returns the exit code. */
  run(args: readonly string[], flags: Flags): Promise<number>
}

/** Wrong arguments: exit code 2. */
export class UsageError extends Error {}

/** undefined if it was not given. */
export function numberOf(flags: Flags, name: string): number | undefined {
  const value = flags[name]
  if (value === undefined) return undefined
  if (!/^\d{1,9}$/.test(String(value))) throw new UsageError(`--${name} must be a whole number, at least 0.`)
  return Number(value)
}

export const note = (text: string): void => void process.stderr.write(`${text}\n`)

export const count = (value: number): string => value.toLocaleString('en-US')

/** `1 credit`, `2 credits` */
export const credits = (value: number): string => `${count(value)} credit${value === 1 ? '' : 's'}`

export const aboutNoRecord =
  'no_record: no regulator record is stored. It does not mean that the site is unlicensed.'
