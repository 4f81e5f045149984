/**
 * Splits a text into sentences. A dot after a short word or initials (`St.`, `No.`, `Ltd.`) does not end a
 * sentence.
 */
const sentencesMax = 400

export function sentencesOf(text: string): string[] {
  const sentences: string[] = []
  let start = 0
  for (const { 0: mark, index } of text.matchAll(
    /[.!?…](?=\s+["„“«(]?[\p{Lu}\p{Lo}\p{N}©])|。|\n|\s[•|]\s/gu,
  )) {
    const before = text.slice(start, index)
    if (mark === '.' && (endsInAbbreviation(before) || beginsNumber(text, index))) continue
    sentences.push(text.slice(start, index + mark.length).trim())
    start = index + mark.length
    if (sentences.length >= sentencesMax) break
  }
  return [...sentences, text.slice(start).trim()].filter(sentence => sentence !== '')
}

/** Matches words before a number: `CVR-nr. 41234567`, `(no. 118822)`. */
const numberWord = /(?:^|\P{L})(?:no|nr|nro|num|núm|n|č|br|бр|αρ|рег|št|reg)$|nr$/iu
const beginsNumber = (text: string, dot: number): boolean =>
  /^\.\s+[\d(]/u.test(text.slice(dot, dot + 4)) && numberWord.test(text.slice(Math.max(0, dot - 6), dot))

const abbreviationLettersMax = 3
const longAbbreviations = new Set([
  'corp',
  'blvd',
  'dept',
  'prof',
  'bldg',
  'univ',
  'reg',
  'str',
  'calle',
  'ltda',
  'pvte',
  'pllc',
  'tilladelsesnr',
  'licensnr',
  'licencenr',
])
/** Short words that may end a sentence. */
const shortWords = new Set(['gmbh', 'curacao', 'malta', 'play', 'game', 'site', 'fun', 'age', '18'])

function endsInAbbreviation(before: string): boolean {
  const last = before.slice(Math.max(before.lastIndexOf(' '), before.lastIndexOf('\u00a0')) + 1)
  const word = last.replace(/^[(（[„“"«]+/u, '')
  if (/\p{L}\.\p{L}/u.test(word)) return true
  if (longAbbreviations.has(word.toLowerCase())) return true
  return (
    /^[\p{L}]+$/u.test(word) && word.length <= abbreviationLettersMax && !shortWords.has(word.toLowerCase())
  )
}
