/** Collects the data in the scripts of a page, and reads the names of studios and payment methods in it. */
import { scanData } from './data-scanner.ts'
import { tokensOf, unescaped } from './data-tokens.ts'
import type { PageName } from './page-fields.ts'

const pageCharactersMax = 524_288
const namesMax = 500
const valuesMax = 20_000
const depthMax = 12
/** Next.js appends pieces of one text: `self.__next_f.push([1,"…"])`. */
const pieceStart = /__next_f\b[^[]{0,40}push\(\[1,\s*(?=")/
const nuxtData = '__NUXT_DATA__'

export class InlineData {
  private readonly texts: string[] = []
  private pieces = ''
  private characters = 0

  add(text: string, id: string): void {
    this.characters += text.length
    if (this.characters > pageCharactersMax) return
    const piece = pieceStart.exec(text)
    if (piece !== null) {
      const [first] = tokensOf(text.slice(piece.index + piece[0].length))
      if (first?.isString === true) this.pieces += unescaped(first.text)
    } else if (id === nuxtData) this.texts.push(resolved(text))
    else if (text.includes('{') || text.includes('[')) this.texts.push(text)
  }

  names(): PageName[] {
    const found = new Map<string, PageName>()
    for (const text of [...this.texts, this.pieces])
      scanData(text, (within, name) => {
        if (found.size < namesMax) found.set(`${within} ${name}`, { text: name, within })
      })
    return [...found.values()]
  }
}

/**
 * Resolves the data of Nuxt: a list whose objects and lists have the positions of their values. Returns JSON,
 * or an empty text.
 */
function resolved(text: string): string {
  let values: unknown
  try {
    values = JSON.parse(text)
  } catch {
    return ''
  }
  if (!Array.isArray(values)) return ''
  let visited = 0
  const at = (position: unknown, depth: number): unknown => {
    const value: unknown = typeof position === 'number' ? values[position] : null
    if (++visited > valuesMax || depth > depthMax) return null
    if (typeof value !== 'object' || value === null) return value
    // A text at the beginning is the name of a wrapper: `["Reactive", 3]`, `["Set", 4, 5]`.
    if (Array.isArray(value) && typeof value[0] === 'string' && value[0] !== 'Set')
      return at(value[1], depth + 1)
    if (Array.isArray(value)) return value.map(each => at(each, depth + 1))
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, at(each, depth + 1)]))
  }
  return JSON.stringify(at(0, 0)) ?? ''
}
