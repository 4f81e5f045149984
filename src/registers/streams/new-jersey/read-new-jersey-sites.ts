/**
 * The Division's page has a table per permit holder and a numbered row per site. The last cell lists the
 * site's hosts (`borgata.example/en/casino, borgata.example/en/poker`). Mirrors publish a plain host list.
 */
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { firstCharacter } from '../../source/first-character.ts'
import { onlyFile } from '../../source/source-file.ts'
import { type Line, readText } from '../../source/source-text.ts'
import { type Reading, Refusal, type SourceFile } from '../../stream.ts'
import { authorisedSites, readAuthorisedSites } from '../host-list/read-host-list.ts'

const pageCharactersMax = 8 * 1024 * 1024

export async function* readNewJerseySites(files: readonly SourceFile[]): AsyncGenerator<Reading, void> {
  const file = onlyFile(files)
  if ((await firstCharacter(file)) === '<') yield* authorisedSites(numberedSites(file))
  else yield* readAuthorisedSites(files)
}

async function* numberedSites(file: SourceFile): AsyncGenerator<Line, void> {
  let page = ''
  for await (const piece of readText(file, { encoding: 'utf-8', markup: 'html' })) {
    page += piece
    if (page.length > pageCharactersMax)
      throw new Refusal(`"${file.name}" is longer than ${pageCharactersMax} characters of HTML`)
  }
  let rows = 0
  for (const row of elements(parse(page, { sourceCodeLocationInfo: true }), 'tr')) {
    const cells = [...elements(row, 'td')]
    const [first, last] = [cells[0], cells.at(-1)]
    if (first === undefined || last === undefined || first === last) continue
    if (!/^\d+\.?$/.test(textOf(first).trim())) continue
    const number = row.sourceCodeLocation?.startLine ?? 0
    for (const text of textOf(last).split(/[\s,;]+/)) {
      if (text === '') continue
      rows += 1
      yield { number, text }
    }
  }
  if (rows === 0) throw new Refusal(`"${file.name}" is a page without numbered rows of sites`)
}

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

function* elements(node: Node, name: string): Generator<Element, void> {
  for (const child of 'childNodes' in node ? node.childNodes : []) {
    if ('tagName' in child && child.tagName === name) yield child
    yield* elements(child, name)
  }
}

function textOf(node: Node): string {
  if ('value' in node) return node.value
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : ''
}
