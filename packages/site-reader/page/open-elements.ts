/**
 * Tracks the open elements of a page in linear time, because a standard tree builder is quadratic for some
 * markup. It closes elements that authors leave open, as far as visibility and the extent of links depend
 * on it.
 */
import type { BrandKind } from './page-fields.ts'

/**
 * Limits the depth; Chromium's limit is 512. Deeper elements are not opened, and their text is not visible.
 */
const depthMax = 256

export type OpenElement = {
  name: string
  isHidden: boolean
  /** Is true in a template, whose content is never shown or loaded. */
  isInert: boolean
  /** The kind of what it contains, which its parents may say. */
  kind: BrandKind | null
  /** Is true in SVG or MathML, where `title` and `style` have other meanings. */
  isForeign: boolean
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

export const voidElements = words(
  'area base basefont bgsound br col embed frame hr img input link meta param source track wbr',
)
export const inlineElements = words(`
  a abbr acronym area b bdi bdo big br cite code data del dfn em font i img input ins kbd label map mark meta
  nobr
  picture q ruby s samp script small source span strike strong style sub sup svg template time tt u var wbr`)

const scopes = words('table td th caption template applet marquee object foreignobject')
const blocks = words(`
  address article aside blockquote center details dialog dir div dl dd dt fieldset figcaption figure footer
  form h1 h2 h3 h4 h5 h6 header hgroup hr li main menu nav ol p pre search section summary table ul`)
const leavesForeign = words(`
  b big blockquote br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 hr i img li meta nobr ol p pre
  s script small span strong strike sub sup table tt u ul var`)

/** Elements that a start tag closes, unless an element of `until` is between them. */
type Implied = { closes: ReadonlySet<string>; until: ReadonlySet<string> }
const lists = words('ul ol dl menu table td th template')
const tables = words('table template')
const impliedEnds: Record<string, Implied> = {
  li: { closes: words('li'), until: lists },
  dd: { closes: words('dd dt'), until: lists },
  dt: { closes: words('dd dt'), until: lists },
  option: { closes: words('option'), until: words('select datalist template') },
  optgroup: { closes: words('option optgroup'), until: words('select template') },
  tr: { closes: words('tr'), until: tables },
  td: { closes: words('td th'), until: words('tr table template') },
  th: { closes: words('td th'), until: words('tr table template') },
  tbody: { closes: words('thead tbody tfoot'), until: tables },
  tfoot: { closes: words('thead tbody tfoot'), until: tables },
  a: { closes: words('a'), until: scopes },
  button: { closes: words('button'), until: scopes },
}
const paragraph: Implied = { closes: words('p'), until: new Set([...scopes, 'button']) }

export class OpenElements {
  private readonly stack: OpenElement[] = []
  private readonly open = new Map<string, number>()
  /** Counts elements beyond the greatest depth, so that their end tags close nothing else. */
  private readonly tooDeep = new Map<string, number>()
  private lowest = 0
  /** End tags that had no effect since the last change of the stack. */
  private readonly ignored = new Set<string>()
  private readonly onClose: (element: OpenElement) => void

  constructor(onClose: (element: OpenElement) => void) {
    this.onClose = onClose
  }

  get current(): OpenElement | undefined {
    return this.stack.at(-1)
  }

  get isTooDeep(): boolean {
    return this.tooDeep.size > 0
  }

  get isHidden(): boolean {
    return this.isTooDeep || this.current?.isHidden === true
  }

  get isInert(): boolean {
    return this.current?.isInert === true
  }

  get kind(): BrandKind | null {
    return this.current?.kind ?? null
  }

  /** The least number of open elements since the last text. */
  get lowestDepth(): number {
    return Math.min(this.lowest, this.stack.length)
  }

  has(name: string): boolean {
    return (this.open.get(name) ?? 0) > 0
  }

  /** Closes the elements that the start tag of `name` ends. Call it before opening that element. */
  closeImplied(name: string): void {
    if (this.current?.isForeign === true && leavesForeign.has(name))
      while (this.current?.isForeign === true) this.pop()
    const implied = impliedEnds[name]
    if (implied !== undefined) this.closeUntil(implied)
    if (blocks.has(name)) this.closeUntil(paragraph)
  }

  push(element: OpenElement): void {
    const isTooDeep = this.stack.length >= depthMax
    if (!isTooDeep) this.stack.push(element)
    this.ignored.clear()
    count(isTooDeep ? this.tooDeep : this.open, element.name, 1)
  }

  /** Handles an end tag. It is ignored without its start tag, or across the border of a table or a block. */
  close(name: string): void {
    if (this.tooDeep.has(name)) count(this.tooDeep, name, -1)
    else if (this.has(name) && !this.ignored.has(name)) this.closeNearest(name)
  }

  private closeNearest(name: string): void {
    const isInline = inlineElements.has(name) && name !== 'a' && name !== 'svg' && name !== 'template'
    const leavesScopes = name === 'table' || name === 'template' || tableParts.has(name)
    const stops = (at: string) => (scopes.has(at) && !leavesScopes) || (isInline && blocks.has(at))
    const index = this.stack.findLastIndex(at => at.name === name || stops(at.name))
    if (this.stack[index]?.name === name) this.popTo(index)
    else this.ignored.add(name)
  }

  closeAll(): void {
    this.popTo(0)
  }

  /** Returns the nearest open element that is not inline. */
  get block(): string {
    const isBlock = ({ name, isForeign }: OpenElement) => !isForeign && !inlineElements.has(name)
    return this.stack.findLast(isBlock)?.name ?? 'body'
  }

  /** Counts the elements around the element of `block`. */
  get blockDepth(): number {
    const isBlock = ({ name, isForeign }: OpenElement) => !isForeign && !inlineElements.has(name)
    return Math.max(0, this.stack.findLastIndex(isBlock))
  }

  /** Returns the least depth since the last call. */
  takeLowest(): number {
    const { lowest } = this
    this.lowest = this.stack.length
    return Math.min(lowest, this.stack.length)
  }

  private closeUntil({ closes, until }: Implied): void {
    if (![...closes].some(name => this.has(name))) return
    const index = this.stack.findLastIndex(({ name }) => closes.has(name) || until.has(name))
    if (closes.has(this.stack[index]?.name ?? '')) this.popTo(index)
  }

  private popTo(length: number): void {
    while (this.stack.length > length) this.pop()
  }

  private pop(): void {
    const element = this.stack.pop() as OpenElement
    this.lowest = Math.min(this.lowest, this.stack.length)
    count(this.open, element.name, -1)
    // Elements beyond the greatest depth close with the element that contains them.
    this.tooDeep.clear()
    this.ignored.clear()
    this.onClose(element)
  }
}

const tableParts = words('tr td th tbody thead tfoot caption')

function count(counts: Map<string, number>, name: string, difference: number): void {
  const counted = (counts.get(name) ?? 0) + difference
  if (counted > 0) counts.set(name, counted)
  else counts.delete(name)
}
