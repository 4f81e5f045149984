/**
 * JSON as text. A long text is an array of pieces that are written in turn, because joining would copy
 * them.
 */
export type JsonText = string | readonly string[]

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
