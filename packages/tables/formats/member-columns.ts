/**
 * Reads rows of XML or JSON. These formats have no header, so a missing column is found only at the end of
 * the file.
 */

import { Refusal } from '../source/source-file.ts'
import { type Layout, rowCharactersMax, type TableRow } from '../source/source-table.ts'

/** The values of a row by name. A name can have several values. */
export type MemberValues = Map<string, string[]>

export function addValue(values: MemberValues, name: string, value: string): void {
  const list = values.get(name)
  if (list === undefined) values.set(name, [value])
  else list.push(value)
}

const unknownNamesMax = 100

export class MemberColumns {
  readonly #file: string
  readonly #layout: Layout<string>
  readonly #what: 'elements' | 'members'
  readonly #known: ReadonlySet<string>
  readonly #seen = new Set<string>()
  readonly #unknown = new Set<string>()

  constructor(file: string, layout: Layout<string>, what: 'elements' | 'members') {
    this.#file = file
    this.#layout = layout
    this.#what = what
    this.#known = new Set(Object.values(layout).flatMap(column => column.headers))
  }

  knows(name: string): boolean {
    return this.#known.has(name)
  }

  *row(line: number, values: MemberValues): Generator<TableRow<string>, void> {
    for (const name of values.keys()) yield* this.unknown(name)
    const cells: Record<string, string> = {}
    let characters = 0
    for (const [column, { headers }] of Object.entries(this.#layout)) {
      const name = headers.find(each => values.has(each))
      if (name !== undefined) this.#seen.add(column)
      // Several values of one name become lines of one cell.
      const cell = name === undefined ? '' : (values.get(name) ?? []).join('\n')
      characters += cell.length
      cells[column] = cell
    }
    if (characters > rowCharactersMax) {
      throw new Refusal(`"${this.#file}": row ${line} is longer than ${rowCharactersMax} characters`)
    }
    yield { kind: 'row', line, cells }
  }

  *unknown(name: string): Generator<TableRow<string>, void> {
    if (this.#known.has(name) || this.#unknown.has(name) || this.#unknown.size >= unknownNamesMax) return
    this.#unknown.add(name)
    yield { kind: 'unknown_column', name }
  }

  refuseMissing(): void {
    const missing = Object.entries(this.#layout)
      .filter(([column, { optional }]) => optional !== true && !this.#seen.has(column))
      .flatMap(([, { headers }]) => headers.slice(0, 1))
    if (missing.length === 0) return
    const found = [...this.#unknown].slice(0, 20).join(' | ') || 'no others'
    throw new Refusal(
      `"${this.#file}": expected the ${this.#what} [${missing.join(' | ')}], found [${found.slice(0, 400)}]`,
    )
  }
}
