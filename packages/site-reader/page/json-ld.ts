/** Copies objects of JSON-LD within limits. Nested objects that have an `@type` are listed too. */
const scriptCharactersMax = 262_144
const pageCharactersMax = 524_288
const objectsMax = 200
/** Limits the values that are visited on a page, and those that are copied. */
const valuesMax = 20_000
const depthMax = 12
const copiedDepthMax = 4
const membersMax = 50
const itemsMax = 50
const textCharactersMax = 1_000

type Json = Record<string, unknown>

export class JsonLdReader {
  readonly objects: Json[] = []
  private characters = 0
  private values = 0

  /** Reads one script element. Text that is not JSON yields nothing. */
  read(text: string): void {
    this.characters += text.length
    if (text.length > scriptCharactersMax || this.characters > pageCharactersMax) return
    let parsed: unknown
    try {
      // CMS plugins wrap JSON in comments or CDATA, and end it with a semicolon.
      parsed = JSON.parse(text.replace(/^\s*(?:<!--|\/\*<!\[CDATA\[\*\/)/, '').replace(/(?:-->|;)\s*$/, ''))
    } catch {
      return
    }
    this.visit(parsed)
  }

  private visit(root: unknown): void {
    const pending: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }]
    for (const next of pending) {
      if (++this.values > valuesMax || this.objects.length >= objectsMax) return
      if (typeof next.value !== 'object' || next.value === null || next.depth > depthMax) continue
      if (!Array.isArray(next.value) && '@type' in next.value)
        this.objects.push(this.copied(next.value, 0) as Json)
      const members = Array.isArray(next.value) ? next.value : Object.values(next.value)
      if (pending.length > valuesMax) continue
      for (const value of members.slice(0, objectsMax)) pending.push({ value, depth: next.depth + 1 })
    }
  }

  private copied(value: unknown, depth: number): unknown {
    this.values += 1
    if (typeof value === 'string') return value.slice(0, textCharactersMax)
    if (typeof value !== 'object' || value === null) return value
    if (depth >= copiedDepthMax || this.values > valuesMax) return null
    if (Array.isArray(value)) return value.slice(0, itemsMax).map(item => this.copied(item, depth + 1))
    const members = Object.entries(value)
      .slice(0, membersMax)
      .filter(([name]) => name !== '__proto__')
      .map(([name, member]) => [name.slice(0, textCharactersMax), this.copied(member, depth + 1)])
    return Object.fromEntries(members)
  }
}
