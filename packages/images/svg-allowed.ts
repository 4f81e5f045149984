/**
 * Lists what an SVG may contain. It excludes active content, external resources, embedded HTML and elements
 * that expand a small file (use, pattern, filter).
 */

const wordsOf = (...lines: string[]) => new Set(lines.flatMap(line => line.split(' ')))

const allowedElements = wordsOf(
  'g defs title desc path rect circle ellipse line polyline polygon text tspan linearGradient',
  'radialGradient stop clipPath mask',
)

const unwrappedElements = new Set(['a', 'switch'])

const shapes = new Set(['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'text'])
const textElements = new Set(['text', 'tspan', 'title', 'desc'])
/** The elements whose child elements are dropped, because a browser would parse them as HTML. */
const textOnly = new Set(['title', 'desc'])
const gradients = new Set(['linearGradient', 'radialGradient'])

/**
 * The elements in which clipping attributes are removed: nested clipping takes exponential time to render.
 */
const clippingElements = new Set(['clipPath', 'mask'])
const clippingAttributes = new Set(['clip-path', 'mask'])

const presentation = wordsOf(
  'clip-path clip-rule color display dominant-baseline fill fill-opacity fill-rule font-family',
  'font-size font-stretch font-style font-weight letter-spacing mask opacity overflow paint-order',
  'shape-rendering stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap',
  'stroke-linejoin stroke-miterlimit stroke-opacity stroke-width text-anchor text-rendering transform',
  'vector-effect visibility word-spacing',
)

const geometry = wordsOf(
  'clipPathUnits cx cy d dx dy fr fx fy gradientTransform gradientUnits height id lengthAdjust',
  'maskContentUnits maskUnits offset pathLength points preserveAspectRatio r rotate rx ry',
  'spreadMethod textLength viewBox width x x1 x2 y y1 y2',
)

const referencing = new Set(['fill', 'stroke', 'clip-path', 'mask'])
/** Matches a reference within the file, with an optional fallback colour. */
const ownReference = /^url\(\s*(["']?)#[\w.:-]+\1\s*\)(?:\s+(?:#[\da-f]{3,8}|[a-z]+))?$/i
const ownFragment = /^#[\w.:-]+$/
const identifier = /^[A-Za-z_][\w.:-]*$/
/** Matches values that cannot contain a URL, an escape or a rule. */
const plainValue = /^[\p{L}\p{N}\s.,:#%+()'"|_-]*$/u

export function treatmentOf(element: string, parent: string): 'kept' | 'unwrapped' | 'dropped' {
  if (textOnly.has(parent)) return 'dropped'
  if (allowedElements.has(element)) return 'kept'
  return unwrappedElements.has(element) ? 'unwrapped' : 'dropped'
}

export const isShape = (element: string) => shapes.has(element)
export const allowsText = (element: string) => textElements.has(element)
export const isClipping = (element: string) => clippingElements.has(element)
export const isPresentation = (name: string) => presentation.has(name)

export function isAllowed(element: string, name: string, value: string, inClipping: boolean): boolean {
  if (name === 'href') return gradients.has(element) && ownFragment.test(value)
  if (name === 'id') return identifier.test(value)
  if (!presentation.has(name) && !geometry.has(name)) return false
  if (inClipping && clippingAttributes.has(name)) return false
  return isSafeValue(name, value)
}

export function isSafeValue(name: string, value: string): boolean {
  if (/url\s*\(/i.test(value)) return referencing.has(name) && ownReference.test(value)
  return plainValue.test(value)
}
