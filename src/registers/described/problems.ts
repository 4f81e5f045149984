/** What is wrong with a description, and where: for the person who wrote it. */
export type Problem = { line: number; column: number; message: string }

/** A problem before anybody looked where it stands. */
export type Finding = {
  /** Keys and positions from the top of the description. */
  path: readonly string[]
  /** Whether the key itself is meant, or what stands behind it. */
  at: 'key' | 'value'
  message: string
}

/** `records.license.key[0]`, as an error names it. */
export function pathText(path: readonly string[]): string {
  return path
    .map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join('')
}
