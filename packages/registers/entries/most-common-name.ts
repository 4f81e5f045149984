/**
 * Returns the most frequent name in its most frequent spelling. Ties go to the first name in alphabetical
 * order, and to the spelling with fewer capitals.
 */
export function mostCommonName(names: readonly string[]): string {
  const folded = mostOften(
    names.map(name => name.toLowerCase()),
    (one, other) => one < other,
  )
  return mostOften(
    names.filter(name => name.toLowerCase() === folded),
    (one, other) =>
      capitalsOf(one) - capitalsOf(other) < 0 || (capitalsOf(one) === capitalsOf(other) && one < other),
  )
}

const capitalsOf = (text: string) => [...text].filter(letter => letter !== letter.toLowerCase()).length

function mostOften(texts: readonly string[], precedes: (one: string, other: string) => boolean): string {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  const [most] = [...counts].sort(
    ([one, times], [other, otherTimes]) => otherTimes - times || (precedes(one, other) ? -1 : 1),
  )
  return most?.[0] ?? ''
}
