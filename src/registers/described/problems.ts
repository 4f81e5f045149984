export type Problem = { line: number; column: number; message: string }

export type Finding = {
  /** Keys and list indexes from the root. */
  path: readonly string[]
  at: 'key' | 'value'
  message: string
}

/** `records.license.key[0]` */
export function pathText(path: readonly string[]): string {
  return path
    .map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join('')
}
