/**
 * Scans the data in a script in one pass: JSON, or a literal of JavaScript with code around it. It reports
 * names in lists of studios and payment methods.
 */
import { foldedWords } from '@baize/names'
import { readRuleFile } from '../read-rule-file.ts'
import { tokensOf, unescaped } from './data-tokens.ts'
import type { BrandKind } from './page-fields.ts'

/** `none` is a list of others: casinos that are compared, translations, what is switched off. */
type Kind = BrandKind | 'none' | null

type Frame = {
  isArray: boolean
  /** The kind of a list and of what is directly within. */
  kind: Kind
  /** The kind of the list of which this object is an item. */
  itemOf: Kind
  /** The key whose value comes next. */
  key: string | null
  /** Is true if each member is an item: `payments: {skrill: {…}}`. */
  isMap: boolean
  names: Map<string, string>
  isOff: boolean
}

const framesMax = 200
const nameCharactersMax = 60
const embeddedDepthMax = 2
/** Matches JSON in a string, as in `JSON.parse("{\"providers\": …}")`. */
const embedded = /^\s*[[{]|\\?"\s*:/

export type ReportName = (kind: BrandKind, name: string) => void

export function scanData(text: string, report: ReportName, depth = 0): void {
  const frames: Frame[] = [frameOf(null, true)]
  const found = (kind: Kind, name: string) => {
    if ((kind === 'methods' || kind === 'studios') && name.length <= nameCharactersMax) report(kind, name)
  }
  const takeString = (frame: Frame, content: string) => {
    const { key } = frame
    frame.key = null
    if (content.length > nameCharactersMax) {
      if (depth < embeddedDepthMax && embedded.test(content)) scanData(unescaped(content), report, depth + 1)
      return
    }
    const value = unescaped(content)
    if (key === null) {
      if (frame.isArray) found(frame.kind, value)
      return
    }
    if (names.includes(key)) frame.names.set(key, value)
    if (frame.kind !== 'none' && isStudioKey(key)) found('studios', value)
    frame.isOff ||= isOff(key, value)
  }
  for (const { text: token, isString, isBeforeColon } of tokensOf(text)) {
    const frame = frames.at(-1) as Frame
    if (isBeforeColon && !frame.isArray && frame.key === null) frame.key = token
    else if (isString) takeString(frame, token)
    else if (token === '{' || token === '[') {
      if (frames.length >= framesMax) return
      frames.push(frameOf(frame, token === '['))
      frame.key = null
    } else if (token === '}' || token === ']') {
      if (frames.length > 1) frames.pop()
      const name = names.map(member => frame.names.get(member)).find(each => each !== undefined)
      if (name !== undefined && !frame.isOff) found(frame.itemOf, name)
    } else if (token === ',') frame.key = null
    else if (frame.key !== null) frame.isOff ||= isOff(frame.key, token)
  }
}

function frameOf(parent: Frame | null, isArray: boolean): Frame {
  const key = parent?.key ?? null
  const own = key === null ? null : kindOfKey(key)
  const inherited = parent?.kind ?? null
  const inherits = key === null || passesOn(key)
  const kind = inherited === 'none' ? inherited : (own ?? (inherits ? inherited : null))
  const isItem = parent !== null && (parent.isArray || parent.isMap)
  const ofItem = inherited === 'none' ? inherited : (own ?? (isItem ? inherited : null))
  const isMap = !isArray && (own !== null || (key !== null && inherits))
  const itemOf = isArray ? null : ofItem
  return { isArray, kind, itemOf, isMap, key: null, names: new Map(), isOff: false }
}

const rules = readRuleFile<Record<string, string[]>>('data-keys')
const setOf = (name: string): ReadonlySet<string> => new Set(rules[name])
const methods = setOf('methods')
const studios = setOf('studios')
const others = setOf('others')
const passing = setOf('passing')
const offWhenTrue = setOf('off_when_true')
const offWhenFalse = setOf('off_when_false')
const offStates = setOf('off_states')
const names = rules.names as string[]

const wordsOf = (key: string) => foldedWords(key.replaceAll(/(?<=[a-z])(?=[A-Z])|_/g, ' '))
const hasWord = (words: readonly string[], list: ReadonlySet<string>) => words.some(word => list.has(word))

function kindOfKey(key: string): Kind {
  const words = wordsOf(key)
  if (hasWord(words, others)) return 'none'
  if (hasWord(words, methods)) return 'methods'
  return hasWord(words, studios) ? 'studios' : null
}

const isStudioKey = (key: string) => kindOfKey(key) === 'studios'
const passesOn = (key: string) => hasWord(wordsOf(key), passing)

function isOff(key: string, value: string): boolean {
  const word = wordsOf(key).join(' ')
  if (offWhenTrue.has(word)) return value === 'true' || value === '!0' || value === '1'
  if (offWhenFalse.has(word)) return value === 'false' || value === '!1' || value === '0'
  return (word === 'status' || word === 'state') && offStates.has(wordsOf(value).join(' '))
}
