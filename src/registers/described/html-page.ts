import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { boundedTree } from '../source/bounded-tree.ts'
import { type Encoding, readText } from '../source/source-text.ts'
import { Refusal, type SourceFile } from '../stream.ts'

export type Document = DefaultTreeAdapterTypes.Document
export type Element = DefaultTreeAdapterTypes.Element

/** About 80,000 rows of five cells. */
const htmlCharactersMax = 16 * 1024 * 1024

/** `located`: whether an element needs the number of its line. */
export async function parsePage(
  file: SourceFile,
  encoding: Encoding,
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

/** All elements in the order of the page. */
export function* elementsOf(root: Document | Element): Generator<Element, void> {
  const pending: DefaultTreeAdapterTypes.ChildNode[] = root.childNodes.toReversed()
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (!('childNodes' in node)) continue
    yield node as Element
    for (const child of node.childNodes.toReversed()) pending.push(child)
  }
}

/** A parser closes what a page leaves open: without its end tag the element was cut off. */
export function refuseOpenEnd(name: string, { tagName, sourceCodeLocation }: Element): void {
  if (sourceCodeLocation != null && sourceCodeLocation.endTag === undefined)
    throw new Refusal(`"${name}" ends inside its ${tagName}: it is incomplete`)
}
