/**
 * Computes the optimal string alignment distance: insertions, deletions, substitutions and swaps of
 * neighbours. Returns `max + 1` for any larger distance.
 */
export function editDistance(left: readonly string[], right: readonly string[], max: number): number {
  if (Math.abs(left.length - right.length) > max) return max + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row]
    let least = row
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1]
      let distance = Math.min(
        (last[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (last[column - 1] as number) + (same ? 0 : 1),
      )
      const exchanged =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      if (exchanged) distance = Math.min(distance, (beforeLast[column - 2] as number) + 1)
      current.push(distance)
      least = Math.min(least, distance)
    }
    if (least > max) return max + 1
    beforeLast = last
    last = current
  }
  return Math.min(last[right.length] as number, max + 1)
}
