const charactersMax = 60

/** A value of somebody else's as an error or a report shows it: a text in quotes, cut to a length that fits. */
export function shown(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'keys'
  const text = String(value)
  const cut = text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text
  return typeof value === 'string' ? JSON.stringify(cut) : cut
}
