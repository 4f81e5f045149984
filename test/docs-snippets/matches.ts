const isTime = (text: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text)

const exportId = /^(\/v1\/exports\/|)\d{9,}$/
const withoutExportId = (value: unknown) =>
  exportId.test(String(value)) ? String(value).replace(/\d+$/, 'ID') : value

/**
 * Returns the differences between an answer and the one on a page. A page may omit members and the last
 * elements, and end a text with `…`. Times and random ids of exports may differ.
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
  if (withoutExportId(shown) === withoutExportId(answered)) return []
  return [`${path} is ${JSON.stringify(answered)}, not ${JSON.stringify(shown)}`]
}
