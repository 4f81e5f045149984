/** Joins the pieces of text on a page of a PDF into lines, in reading order. */

/** A piece of text, measured in points from the lower left corner of the page. */
export type TextFragment = { text: string; left: number; right: number; base: number; height: number }

/** Words of one line whose gaps are no wider than gaps between words. */
type Fragment = { text: string; left: number; right: number }
export type PageLine = Fragment[]

/** The largest distance of base lines in one line, as a share of the pieces' height. */
const lineShare = 0.5
/**
 * A wider gap separates words, and a gap above `columnGapShare` separates columns. Both are shares of the
 * height.
 */
const wordGapShare = 0.12
const columnGapShare = 0.75

export function joinFragments(pieces: readonly TextFragment[]): PageLine[] {
  const lines: TextFragment[][] = []
  for (const piece of pieces.toSorted((one, other) => other.base - one.base)) {
    const line = lines.at(-1)
    const first = line?.[0]
    const tolerance = lineShare * Math.min(first?.height ?? 0, piece.height)
    if (line === undefined || first === undefined || first.base - piece.base > tolerance) lines.push([piece])
    else line.push(piece)
  }
  return lines.map(joinLine)
}

function joinLine(pieces: readonly TextFragment[]): PageLine {
  const line: PageLine = []
  for (const { text, left, right, height } of pieces.toSorted((one, other) => one.left - other.left)) {
    const last = line.at(-1)
    const gap = left - (last?.right ?? 0)
    if (last === undefined || gap > columnGapShare * height) line.push({ text, left, right })
    else {
      last.text += gap > wordGapShare * height ? ` ${text}` : text
      last.right = Math.max(last.right, right)
    }
  }
  return line
}
