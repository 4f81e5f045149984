/** JSON as text. A long one comes in pieces, which go one behind the other: joined they would be copied. */
export type JsonText = string | readonly string[]

/** The list of values that are JSON already. */
export function jsonList(values: readonly string[]): readonly string[] {
  const pieces = ['[']
  for (const value of values) {
    if (pieces.length > 1) pieces.push(',')
    pieces.push(value)
  }
  pieces.push(']')
  return pieces
}
