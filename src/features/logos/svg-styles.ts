import { isPresentation } from './svg-allowed.ts'

/** Properties in the order in which they are given. */
export type Declarations = [property: string, value: string][]

/**
 * What style sheets say of classes, as drawing programs export colours. Rules for anything else are passed over, and so is
 * what stands in `@` blocks: that depends on who looks.
 */
export type ClassRules = ReadonlyMap<string, readonly { order: number; declarations: Declarations }[]>

/** Of one element; no drawing program gives it more than two. */
const classesMax = 16
const classSelector = /^\.(-?[_a-zA-Z][\w-]*)$/
const important = /\s*!\s*important\s*$/i

export function readClassRules(css: string): ClassRules {
  const rules = new Map<string, { order: number; declarations: Declarations }[]>()
  let order = 0
  for (const { selectors, block } of blocksOf(withoutComments(css))) {
    const declarations = readDeclarations(block)
    for (const selector of selectors.split(',')) {
      const name = classSelector.exec(selector.trim())?.[1]
      if (name === undefined) continue
      const known = rules.get(name)
      if (known === undefined) rules.set(name, [{ order, declarations }])
      else known.push({ order, declarations })
    }
    order += 1
  }
  return rules
}

/** `fill:#fff; stroke: none` → the properties that an attribute can carry. */
export function readDeclarations(text: string): Declarations {
  return text
    .split(';')
    .map((declaration): [string, string] => {
      const colon = declaration.indexOf(':')
      if (colon < 0) return ['', '']
      const value = declaration.slice(colon + 1).replace(important, '')
      return [declaration.slice(0, colon).trim().toLowerCase(), value.trim()]
    })
    .filter(([property, value]) => isPresentation(property) && value !== '')
}

/** What the rules say of an element with these classes, the later rule last. */
export function declarationsOf(rules: ClassRules, classes: string): Declarations {
  return [...new Set(classes.split(/\s+/))]
    .slice(0, classesMax)
    .flatMap(name => rules.get(name) ?? [])
    .sort((a, b) => a.order - b.order)
    .flatMap(rule => rule.declarations)
}

function withoutComments(css: string): string {
  const pieces: string[] = []
  for (let at = 0; ; ) {
    const start = css.indexOf('/*', at)
    pieces.push(css.slice(at, start < 0 ? undefined : start))
    const end = start < 0 ? -1 : css.indexOf('*/', start + 2)
    if (end < 0) return pieces.join(' ')
    at = end + 2
  }
}

/** The plain rules of a sheet, each character read once; a block that is not closed is none. */
function* blocksOf(css: string): Generator<{ selectors: string; block: string }> {
  let before = 0
  let start = 0
  let depth = 0
  let nested = false
  for (let at = 0; at < css.length; at += 1) {
    const character = css[at]
    if (character === ';' && depth === 0) before = at + 1
    else if (character === '{') {
      if (depth === 0) start = at
      else nested = true
      depth += 1
    } else if (character === '}' && depth > 0) {
      depth -= 1
      if (depth > 0) continue
      const selectors = css.slice(before, start).trim()
      if (!nested && !selectors.startsWith('@')) yield { selectors, block: css.slice(start + 1, at) }
      before = at + 1
      nested = false
    }
  }
}
