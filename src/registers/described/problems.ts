/** An error of a description, for its author. */
export type Problem = { line: number; column: number; message: string }

/** A problem before its line is known. */
export type Finding = {
  /** Keys and list indexes from the root. */
  path: readonly string[]
  /** Whether the problem is the key or its value. */
  at: 'key' | 'value'
  message: string
}

/** `records.license.key[0]` */
export function pathText(path: readonly string[]): string {
  return path
    .map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join('')
}
