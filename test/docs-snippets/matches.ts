const isTime = (text: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text)

/**
 * Where an answer differs from what a page shows; empty: nowhere. A page may leave members and the last
 * elements out, and end a text with `…`. Times are of any moment.
 */
export function differences(shown: unknown, answered: unknown, path = '$'): string[] {
  if (typeof shown === 'object' && shown !== null) {
    if (typeof answered !== 'object' || answered === null) return [`${path} is ${JSON.stringify(answered)}`]
    return Object.entries(shown).flatMap(([name, value]) =>
      differences(value, (answered as Record<string, unknown>)[name], `${path}.${name}`),
    )
  }
  if (typeof shown === 'string' && typeof answered === 'string') {
    if (isTime(shown) && isTime(answered)) return []
    if (shown.endsWith('…') && answered.startsWith(shown.slice(0, -1))) return []
  }
  if (shown === answered) return []
  return [`${path} is ${JSON.stringify(answered)}, not ${JSON.stringify(shown)}`]
}
