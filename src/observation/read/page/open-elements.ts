/**
 * The open elements while a page is read, in linear time: a tree builder of the standard is quadratic for
 * some markup. Closes what authors leave open, as far as visibility and the extent of links depend on it.
 */

/** Chromium's limit is 512. Deeper elements are not opened, and their text is not visible. */
const depthMax = 256

export type OpenElement = {
  name: string
  isHidden: boolean
  /** SVG or MathML, in which `title` and `style` have other meanings. */
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

/** Elements that a start tag closes, unless one of `until` stands between. */
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
  /** Elements beyond the greatest depth, which no end tag may close twice. */
  private readonly tooDeep = new Map<string, number>()
  private lowest = 0
  /** End tags without effect since the last change of the stack. */
  private readonly ignored = new Set<string>()
  private readonly onClose: (element: OpenElement) => void

  constructor(onClose: (element: OpenElement) => void) {
    this.onClose = onClose
  }

  get current(): OpenElement | undefined {
    return this.stack.at(-1)
  }

  get isHidden(): boolean {
    return this.tooDeep.size > 0 || this.current?.isHidden === true
  }

  has(name: string): boolean {
    return (this.open.get(name) ?? 0) > 0
  }

  /** Closes what the start tag of `name` ends. To be called before its element is opened. */
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

  /** An end tag. One without its start tag, or across the border of a table or a block, is ignored. */
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

  /** The nearest open element that is not inline. */
  get block(): string {
    const isBlock = ({ name, isForeign }: OpenElement) => !isForeign && !inlineElements.has(name)
    return this.stack.findLast(isBlock)?.name ?? 'body'
  }

  /** How many elements the block of `block` stands in. */
  get blockDepth(): number {
    const isBlock = ({ name, isForeign }: OpenElement) => !isForeign && !inlineElements.has(name)
    return Math.max(0, this.stack.findLastIndex(isBlock))
  }

  /** The least depth since it was asked last. */
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
    // What is beyond the greatest depth is inside the element that closes.
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
