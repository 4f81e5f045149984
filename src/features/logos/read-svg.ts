import { SaxesParser, type SaxesTagNS } from 'saxes'
import { BadImage } from './bad-image.ts'
import { fateOf, isAllowed, isCutter, isSeen, mayHoldText } from './svg-allowed.ts'
import { type ClassRules, declarationsOf, readClassRules, readDeclarations } from './svg-styles.ts'

const svgNamespace = 'http://www.w3.org/2000/svg'
const xlinkNamespace = 'http://www.w3.org/1999/xlink'
const depthMax = 64
const elementsMax = 5_000
const styleCharactersMax = 32 * 1024
/** Of a drawing, as it comes and as it is made anew: what is kept can be read again. */
export const svgBytesMax = 512 * 1024
const sideMax = 100_000

type Drawn = { name: string; attributes: Map<string, string>; children: (Drawn | string)[] }

export type Svg = { text: string; width: number | null; height: number | null }

/**
 * A drawing made anew from what is allowed of the one that came (svg-allowed.ts): strict XML in, and out again nothing that
 * was not looked at. Made anew from itself it is the same. Fails with BadImage.
 */
export function readSvg(text: string): Svg {
  const { root, css, drawn } = parse(text)
  if (drawn === 0) throw new BadImage('is a drawing of nothing that can be shown here')
  const made = new Made()
  write(root, { rules: readClassRules(css), made }, false)
  return { text: made.text, ...sizeOf(root) }
}

/** The tree of what is kept, with all that its style sheets say. */
function parse(text: string): { root: Drawn; css: string; drawn: number } {
  const parser = new SaxesParser({ xmlns: true })
  const open: Drawn[] = []
  let root: Drawn | null = null
  let css = ''
  let styled = false
  let drawn = 0
  let elements = 0
  let depth = 0
  /** The depth of the element that goes with all that is in it; 0: none is open. */
  let dropping = 0
  /** Elements that are open in the file, and whether each stands in the tree. */
  const standing: boolean[] = []

  parser.on('error', error => {
    throw new BadImage(`is not whole XML: ${error.message}`)
  })
  parser.on('doctype', doctype => {
    if (doctype.includes('[')) throw new BadImage('has a document type with declarations of its own')
  })
  parser.on('opentag', tag => {
    elements += 1
    depth += 1
    if (elements > elementsMax) throw new BadImage(`has more than ${elementsMax} elements`)
    if (depth > depthMax) throw new BadImage(`nests its elements deeper than ${depthMax}`)
    const { local, uri } = tag
    const isSvg = uri === svgNamespace || uri === ''
    if (depth === 1) {
      if (!isSvg || local !== 'svg') throw new BadImage('is XML, but no SVG')
      root = { name: 'svg', attributes: attributesOf(tag), children: [] }
      open.push(root)
      standing.push(true)
      return
    }
    const fate = isSvg ? fateOf(local, open.at(-1)?.name ?? '') : 'dropped'
    standing.push(dropping === 0 && fate === 'kept')
    if (dropping > 0) return
    styled = isSvg && local === 'style'
    if (fate === 'dropped') dropping = depth
    if (fate !== 'kept') return
    const element: Drawn = { name: local, attributes: attributesOf(tag), children: [] }
    if (isSeen(local)) drawn += 1
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  const onText = (piece: string) => {
    if (styled) {
      css += piece
      if (css.length > styleCharactersMax)
        throw new BadImage(`has style sheets of more than ${styleCharactersMax} characters`)
      return
    }
    const element = open.at(-1)
    if (dropping === 0 && element !== undefined && mayHoldText(element.name)) element.children.push(piece)
  }
  parser.on('text', onText)
  parser.on('cdata', onText)
  parser.on('closetag', () => {
    if (standing.pop() === true) open.pop()
    if (dropping === depth) dropping = 0
    styled = false
    depth -= 1
  })
  parser.write(text).close()
  if (root === null) throw new BadImage('is XML, but no SVG')
  return { root, css, drawn }
}

/** Those without a namespace, and the old spelling of `href`. */
function attributesOf(tag: SaxesTagNS): Map<string, string> {
  const attributes = new Map<string, string>()
  for (const { prefix, local, uri, value } of Object.values(tag.attributes)) {
    if (uri === xlinkNamespace && local === 'href') attributes.set('href', value.trim())
    else if (prefix === '' && local !== 'xmlns') attributes.set(local, value.trim())
  }
  return attributes
}

/** Each shape carries its own style: what a sheet says once is written thousands of times, and no more than is taken. */
class Made {
  readonly #pieces: string[] = []
  #bytes = 0

  add(piece: string): void {
    this.#bytes += Buffer.byteLength(piece)
    if (this.#bytes > svgBytesMax)
      throw new BadImage(`has more than ${svgBytesMax} bytes when each of its shapes carries its own style`)
    this.#pieces.push(piece)
  }

  get text(): string {
    return this.#pieces.join('')
  }
}

function write(element: Drawn, to: { rules: ClassRules; made: Made }, inCutter: boolean): void {
  const { rules, made } = to
  const within = inCutter || isCutter(element.name)
  const attributes = keptAttributes(element, rules, within)
  const head = [
    element.name === 'svg' ? `svg xmlns="${svgNamespace}"` : element.name,
    ...[...attributes].map(([name, value]) => `${name}="${escapeXml(value)}"`),
  ].join(' ')
  const inside = element.children.filter(child => child !== '')
  made.add(inside.length === 0 ? `<${head}/>` : `<${head}>`)
  for (const child of inside) {
    if (typeof child === 'string') made.add(escapeXml(child))
    else write(child, to, within)
  }
  if (inside.length > 0) made.add(`</${element.name}>`)
}

/** Attributes give way to rules of classes, and those to the element's own style. */
function keptAttributes(element: Drawn, rules: ClassRules, inCutter: boolean): Map<string, string> {
  const { name: tag, attributes } = element
  const said = [
    ...attributes,
    ...declarationsOf(rules, attributes.get('class') ?? ''),
    ...readDeclarations(attributes.get('style') ?? ''),
  ]
  const kept = new Map<string, string>()
  for (const [name, value] of said) {
    if (name !== 'class' && name !== 'style' && isAllowed(tag, name, value, inCutter)) kept.set(name, value)
  }
  return kept
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

/** In pixels, as the drawing says it, or as its view box does; null where neither has a size. */
function sizeOf({ attributes }: Drawn): { width: number | null; height: number | null } {
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
