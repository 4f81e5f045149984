/**
 * The key by which names of registers, files and queries are compared. Equal keys alone never make two
 * holders one party.
 */
import { markets } from './markets.ts'
import { type FoldedName, foldFrontName, foldName, foldText, readingsOfName } from './search-text.ts'

export type LinkingName = {
  /**
   * The letters of the name, a blank, and its legal form. Only spellings of one name with one form share it.
   */
  key: string
  /** The name without blanks, symbols and legal form. */
  stem: string
}

/** A Swedish company is public or not; the same name stands once in the company register. */
const sameForm: Readonly<Record<string, string>> = { 'ab publ': 'ab' }

/** Folds case, accents, blanks, punctuation, `&`, and place, spelling and alphabet of the legal form. */
export function linkingName(text: string): LinkingName {
  return named(withFormBehind(withoutRemark(text)))
}

export const linkingKey = (text: string): string => linkingName(text).key

/** Returns the names that a typed text can mean: as written, and with any legal form in front. */
export function typedLinkingNames(text: string): LinkingName[] {
  const front = foldFrontName(text)
  return [linkingName(text), ...(front === null ? [] : [named(front)])]
}

function named({ key, form, joined }: FoldedName): LinkingName {
  const letters = (form === null ? key : key.slice(0, -form.length - 1)).replaceAll(' ', '')
  return {
    key: form === null ? letters : `${letters} ${sameForm[form] ?? form}`,
    stem: joined === '' ? letters : joined,
  }
}

/** Registers print a brand or a group behind the legal form: `Otter Limited (Lucky Otter)`. */
function withoutRemark(text: string): string {
  const [, name, remark] = /^(.*\S)\s*\(([^()]+)\)\s*$/u.exec(text) ?? []
  if (name === undefined || remark === undefined || isPlace(remark)) return text
  return foldName(text).form === null && foldName(name).form !== null ? name : text
}

/** Registers distinguish companies of one name in two countries so. */
const isPlace = (remark: string) =>
  foldText(remark).some(word => placeWords.has(word)) || !/\p{L}{2}/u.test(remark)

const placeWords = new Set([
  ...markets.flatMap(({ name }) => foldText(name)),
  ...['uk', 'gb', 'us', 'usa', 'eu', 'europe', 'international', 'ii', 'iii', 'iv'],
])

/** A form in front is read as behind: `SIA Otter` as Otter SIA. */
const withFormBehind = (text: string): FoldedName => readingsOfName(text).at(-1) as FoldedName
