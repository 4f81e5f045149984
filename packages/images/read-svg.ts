import { SaxesParser, type SaxesTagNS } from 'saxes'
import { BadImage } from './image-file.ts'
import { allowsText, isAllowed, isClipping, isShape, treatmentOf } from './svg-allowed.ts'
import { type ClassRules, declarationsOf, readClassRules, readDeclarations } from './svg-styles.ts'

const svgNamespace = 'http://www.w3.org/2000/svg'
const xlinkNamespace = 'http://www.w3.org/1999/xlink'
const depthMax = 64
const elementsMax = 5_000
const styleCharactersMax = 32 * 1024
/** The most bytes before and after rewriting, so that a stored SVG can be read again. */
export const svgBytesMax = 512 * 1024
const sideMax = 100_000

type Element = { name: string; attributes: Map<string, string>; children: (Element | string)[] }

type Svg = { text: string; width: number | null; height: number | null }

/** Rewrites strict XML by an allow list (svg-allowed.ts). It is idempotent, and fails with BadImage. */
export function readSvg(text: string): Svg {
  const { root, css } = parse(text)
  const output = new Output()
  write(root, { rules: readClassRules(css), output }, false)
  return { text: output.text, ...sizeOf(root) }
}

function parse(text: string): { root: Element; css: string } {
  const parser = new SaxesParser({ xmlns: true })
  const tree = new TreeBuilder()
  parser.on('error', error => {
    throw new BadImage(`is not well-formed XML: ${error.message}`)
  })
  parser.on('doctype', doctype => {
    if (doctype.includes('[')) throw new BadImage('has a document type with declarations')
  })
  parser.on('opentag', tag => tree.open(tag))
  parser.on('text', piece => tree.addText(piece))
  parser.on('cdata', piece => tree.addText(piece))
  parser.on('closetag', () => tree.close())
  parser.write(text).close()
  if (tree.root === null) throw new BadImage('is XML but not an SVG')
  if (!tree.isVisible) throw new BadImage('has no element that can be shown')
  return { root: tree.root, css: tree.css }
}

class TreeBuilder {
  root: Element | null = null
  css = ''
  isVisible = false
  #elements = 0
  #depth = 0
  /** The depth of the element being dropped; 0 outside of one. */
  #dropDepth = 0
  #inStyle = false
  readonly #open: Element[] = []
  readonly #inTree: boolean[] = []

  open(tag: SaxesTagNS): void {
    this.#elements += 1
    this.#depth += 1
    if (this.#elements > elementsMax) throw new BadImage(`has more than ${elementsMax} elements`)
    if (this.#depth > depthMax) throw new BadImage(`nests its elements deeper than ${depthMax}`)
    const { local, uri } = tag
    const isSvg = uri === svgNamespace || uri === ''
    if (this.root === null) {
      if (!isSvg || local !== 'svg') throw new BadImage('is XML but not an SVG')
      this.root = this.#add(tag)
      return
    }
    const treatment = isSvg ? treatmentOf(local, this.#open.at(-1)?.name ?? '') : 'dropped'
    if (this.#dropDepth > 0 || treatment !== 'kept') this.#inTree.push(false)
    if (this.#dropDepth > 0) return
    this.#inStyle = isSvg && local === 'style'
    if (treatment === 'dropped') this.#dropDepth = this.#depth
    if (treatment !== 'kept') return
    if (isShape(local)) this.isVisible = true
    const parent = this.#open.at(-1)
    parent?.children.push(this.#add(tag))
  }

  addText(piece: string): void {
    if (this.#inStyle) {
      this.css += piece
      if (this.css.length > styleCharactersMax)
        throw new BadImage(`has style sheets of more than ${styleCharactersMax} characters`)
      return
    }
    const element = this.#open.at(-1)
    if (this.#dropDepth === 0 && element !== undefined && allowsText(element.name))
      element.children.push(piece)
  }

  close(): void {
    if (this.#inTree.pop() === true) this.#open.pop()
    if (this.#dropDepth === this.#depth) this.#dropDepth = 0
    this.#inStyle = false
    this.#depth -= 1
  }

  #add(tag: SaxesTagNS): Element {
    const element: Element = { name: tag.local, attributes: attributesOf(tag), children: [] }
    this.#open.push(element)
    this.#inTree.push(true)
    return element
  }
}

function attributesOf(tag: SaxesTagNS): Map<string, string> {
  const attributes = new Map<string, string>()
  for (const { prefix, local, uri, value } of Object.values(tag.attributes)) {
    if (uri === xlinkNamespace && local === 'href') attributes.set('href', value.trim())
    else if (prefix === '' && local !== 'xmlns') attributes.set(local, value.trim())
  }
  return attributes
}

/** Collects the output and limits its size: an inlined sheet can repeat a rule thousands of times. */
class Output {
  readonly #pieces: string[] = []
  #bytes = 0

  add(piece: string): void {
    this.#bytes += Buffer.byteLength(piece)
    if (this.#bytes > svgBytesMax)
      throw new BadImage(`has more than ${svgBytesMax} bytes after its styles are inlined`)
    this.#pieces.push(piece)
  }

  get text(): string {
    return this.#pieces.join('')
  }
}

function write(element: Element, to: { rules: ClassRules; output: Output }, inClipping: boolean): void {
  const { rules, output } = to
  const within = inClipping || isClipping(element.name)
  const attributes = allowedAttributes(element, rules, within)
  const head = [
    element.name === 'svg' ? `svg xmlns="${svgNamespace}"` : element.name,
    ...[...attributes].map(([name, value]) => `${name}="${escapeXml(value)}"`),
  ].join(' ')
  const inside = element.children.filter(child => child !== '')
  output.add(inside.length === 0 ? `<${head}/>` : `<${head}>`)
  for (const child of inside) {
    if (typeof child === 'string') output.add(escapeXml(child))
    else write(child, to, within)
  }
  if (inside.length > 0) output.add(`</${element.name}>`)
}

/** Returns an element's allowed attributes. Class rules override attributes, and `style` overrides both. */
function allowedAttributes(element: Element, rules: ClassRules, inClipping: boolean): Map<string, string> {
  const { name: tag, attributes } = element
  const values = [
    ...attributes,
    ...declarationsOf(rules, attributes.get('class') ?? ''),
    ...readDeclarations(attributes.get('style') ?? ''),
  ]
  const allowed = new Map<string, string>()
  for (const [name, value] of values) {
    if (name !== 'class' && name !== 'style' && isAllowed(tag, name, value, inClipping))
      allowed.set(name, value)
  }
  return allowed
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\t', '&#9;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\r', '&#13;')
}

function sizeOf({ attributes }: Element): { width: number | null; height: number | null } {
  const [, , boxWidth, boxHeight] = (attributes.get('viewBox') ?? '').split(/[\s,]+/)
  const [width, height] = [lengthOf(attributes.get('width')), lengthOf(attributes.get('height'))]
  if (width !== null && height !== null) return { width, height }
  const box = { width: lengthOf(boxWidth), height: lengthOf(boxHeight) }
  return box.width === null || box.height === null ? { width: null, height: null } : box
}

function lengthOf(text: string | undefined): number | null {
  const [, digits] = /^(\d{1,6}(?:\.\d{1,9})?)(?:px)?$/.exec(text ?? '') ?? []
  const pixels = Math.round(Number(digits))
  return pixels >= 1 && pixels <= sideMax ? pixels : null
}
