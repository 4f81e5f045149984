import { isPresentation, isSafeValue } from './svg-allowed.ts'

/** Maps each property to its last value, because a sheet may repeat a property thousands of times. */
type Declarations = ReadonlyMap<string, string>

type Rule = { order: number; value: string }

/** The rules of each class: drawing programs export colours as classes. Other selectors are ignored. */
export type ClassRules = ReadonlyMap<string, ReadonlyMap<string, Rule>>

/** The most classes of an element; drawing programs use at most two. */
const classesMax = 16
const classSelector = /^\.(-?[_a-zA-Z][\w-]*)$/
const important = /!\s*important\s*$/i

export function readClassRules(css: string): ClassRules {
  const rules = new Map<string, Map<string, Rule>>()
  let order = 0
  for (const { selectors, block } of blocksOf(withoutComments(css))) {
    const declarations = readDeclarations(block)
    for (const selector of selectors.split(',')) {
      const name = classSelector.exec(selector.trim())?.[1]
      if (name === undefined) continue
      const properties = rules.get(name) ?? new Map<string, Rule>()
      rules.set(name, properties)
      for (const [property, value] of declarations) properties.set(property, { order, value })
    }
    order += 1
  }
  return rules
}

export function readDeclarations(text: string): Declarations {
  const properties = new Map<string, string>()
  for (const declaration of text.split(';')) {
    const colon = declaration.indexOf(':')
    if (colon < 0) continue
    const property = declaration.slice(0, colon).trim().toLowerCase()
    const value = declaration
      .slice(colon + 1)
      .replace(important, '')
      .trim()
    if (isPresentation(property) && value !== '' && isSafeValue(property, value))
      properties.set(property, value)
  }
  return properties
}

export function declarationsOf(rules: ClassRules, classes: string): Declarations {
  const properties = new Map<string, Rule>()
  for (const name of [...new Set(classes.split(/\s+/))].slice(0, classesMax)) {
    for (const [property, rule] of rules.get(name) ?? [])
      if (rule.order >= (properties.get(property)?.order ?? 0)) properties.set(property, rule)
  }
  return new Map(properties.entries().map(([property, { value }]) => [property, value]))
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

/** Splits a style sheet into blocks in linear time. `@` blocks and an unclosed block are ignored. */
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
