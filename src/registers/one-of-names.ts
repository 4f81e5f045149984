/** The name that something has which a file prints under several: the same in whatever order its rows stand. */

/** The one that is printed most often, of those the one that comes first by its letters. */
export function oneOfNames(names: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  const [first] = [...counts].sort(
    ([one, times], [other, otherTimes]) => otherTimes - times || (one < other ? -1 : 1),
  )
  return first?.[0] ?? ''
}
