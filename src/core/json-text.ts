/** JSON as text. A long one comes in pieces, which go one behind the other: joined they would be copied. */
export type JsonText = string | readonly string[]

/** The list of values that are JSON already. */
export function jsonList(values: readonly JsonText[]): readonly string[] {
  const pieces = ['[']
  for (const value of values) {
    if (pieces.length > 1) pieces.push(',')
    if (typeof value === 'string') pieces.push(value)
    else for (const piece of value) pieces.push(piece)
  }
  pieces.push(']')
  return pieces
}
