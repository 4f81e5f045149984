/**
 * What of a drawing is kept. Everything that is not named here goes: what runs (script, handlers, animation), what
 * fetches (image, feImage, references to anywhere but the file itself), what holds another language (foreignObject), and
 * what a small file makes endless (use, pattern, filter).
 */

/** Kept with what is in them. */
const keptElements = new Set([
  'g',
  'defs',
  'title',
  'desc',
  'path',
  'rect',
  'circle',
  'ellipse',
  'line',
  'polyline',
  'polygon',
  'text',
  'tspan',
  'linearGradient',
  'radialGradient',
  'stop',
  'clipPath',
  'mask',
])

/** Not kept, unlike what is in them. */
const opened = new Set(['a', 'switch'])

/** Elements that something is seen of. */
const seen = new Set(['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'text'])
const holdsText = new Set(['text', 'tspan', 'title', 'desc'])
/** Of these nothing but text is kept: in a page, what else stands in them is read as HTML. */
const onlyText = new Set(['title', 'desc'])
const gradients = new Set(['linearGradient', 'radialGradient'])

/** These cut each other: one within another, level by level, is what a renderer never ends with. */
const cutters = new Set(['clipPath', 'mask'])
const cuts = new Set(['clip-path', 'mask'])

/** What a style sheet may say as well as an attribute. */
const presentation = new Set([
  'clip-path',
  'clip-rule',
  'color',
  'display',
  'dominant-baseline',
  'fill',
  'fill-opacity',
  'fill-rule',
  'font-family',
  'font-size',
  'font-stretch',
  'font-style',
  'font-weight',
  'letter-spacing',
  'mask',
  'opacity',
  'overflow',
  'paint-order',
  'shape-rendering',
  'stop-color',
  'stop-opacity',
  'stroke',
  'stroke-dasharray',
  'stroke-dashoffset',
  'stroke-linecap',
  'stroke-linejoin',
  'stroke-miterlimit',
  'stroke-opacity',
  'stroke-width',
  'text-anchor',
  'text-rendering',
  'transform',
  'vector-effect',
  'visibility',
  'word-spacing',
])

const geometry = new Set([
  'clipPathUnits',
  'cx',
  'cy',
  'd',
  'dx',
  'dy',
  'fr',
  'fx',
  'fy',
  'gradientTransform',
  'gradientUnits',
  'height',
  'id',
  'lengthAdjust',
  'maskContentUnits',
  'maskUnits',
  'offset',
  'pathLength',
  'points',
  'preserveAspectRatio',
  'r',
  'rotate',
  'rx',
  'ry',
  'spreadMethod',
  'textLength',
  'viewBox',
  'width',
  'x',
  'x1',
  'x2',
  'y',
  'y1',
  'y2',
])

const painted = new Set(['fill', 'stroke', 'clip-path', 'mask'])
/** A place of this very file, and perhaps the colour to take where it is not there. */
const ownReference = /^url\(\s*(["']?)#[\w.:-]+\1\s*\)(?:\s+(?:#[\da-f]{3,8}|[a-z]+))?$/i
const ownFragment = /^#[\w.:-]+$/
const identifier = /^[A-Za-z_][\w.:-]*$/
/** Without backslash, slash, angle, at and brace: nothing of it can be an address, an escape or a rule. */
const plainValue = /^[\p{L}\p{N}\s.,:#%+()'"|_-]*$/u

export type Fate = 'kept' | 'opened' | 'dropped'

export function fateOf(element: string, around: string): Fate {
  if (onlyText.has(around)) return 'dropped'
  if (keptElements.has(element)) return 'kept'
  return opened.has(element) ? 'opened' : 'dropped'
}

export const isSeen = (element: string) => seen.has(element)
export const mayHoldText = (element: string) => holdsText.has(element)
export const isCutter = (element: string) => cutters.has(element)
export const isPresentation = (name: string) => presentation.has(name)

/** Whether an element keeps an attribute, or a property that its style gives it. */
export function isAllowed(element: string, name: string, value: string, inCutter: boolean): boolean {
  if (name === 'href') return gradients.has(element) && ownFragment.test(value)
  if (name === 'id') return identifier.test(value)
  if (!presentation.has(name) && !geometry.has(name)) return false
  if (inCutter && cuts.has(name)) return false
  return mayBeSaid(name, value)
}

/** Whether a value can stand for an attribute or a property, of whatever element. */
export function mayBeSaid(name: string, value: string): boolean {
  if (/url\s*\(/i.test(value)) return painted.has(name) && ownReference.test(value)
  return plainValue.test(value)
}
