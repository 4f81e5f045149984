const charactersMax = 60

/** Formats an untrusted value for an error message: text in quotes, cut to 60 characters. */
export function shown(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'keys'
  const text = String(value)
  const cut = text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text
  return typeof value === 'string' ? JSON.stringify(cut) : cut
}
