import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { boundedTree } from '../source/bounded-tree.ts'
import { Refusal, type SourceFile } from '../source/source-file.ts'
import { readText, type TextEncoding } from '../source/source-text.ts'

export type Document = DefaultTreeAdapterTypes.Document
export type Element = DefaultTreeAdapterTypes.Element

/** This limit allows about 80,000 rows of five cells. */
const htmlCharactersMax = 16 * 1024 * 1024

/** Parses a page. `located` says whether an element needs its line number. */
export async function parseHtmlFile(
  file: SourceFile,
  encoding: TextEncoding,
  located: (element: Element) => boolean,
): Promise<Document> {
  let text = ''
  for await (const piece of readText(file, { encoding, markup: 'html' })) {
    text += piece
    if (text.length > htmlCharactersMax) {
      throw new Refusal(`"${file.name}" has more than ${htmlCharactersMax} characters, the limit for HTML`)
    }
  }
  return parse(text, { treeAdapter: boundedTree(file.name, located), sourceCodeLocationInfo: true })
}

/** Returns all elements in the order of the page. */
export function* elementsOf(root: Document | Element): Generator<Element, void> {
  const pending: DefaultTreeAdapterTypes.ChildNode[] = root.childNodes.toReversed()
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (!('childNodes' in node)) continue
    yield node as Element
    for (const child of node.childNodes.toReversed()) pending.push(child)
  }
}

/**
 * Refuses an element without its end tag, because the page was cut off inside it. The parser closes such
 * elements silently.
 */
export function refuseOpenEnd(name: string, { tagName, sourceCodeLocation }: Element): void {
  if (sourceCodeLocation != null && sourceCodeLocation.endTag === undefined)
    throw new Refusal(`"${name}" ends inside its ${tagName}: it is incomplete`)
}
