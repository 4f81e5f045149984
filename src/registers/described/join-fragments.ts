/** Joins the pieces of text that a PDF places on a page into lines, in the order of reading. */

/** A piece of text; the origin is the lower left corner of the page, in points. */
export type Piece = { text: string; left: number; right: number; base: number; height: number }

/** Words of one line that are no wider apart than words are. */
type Fragment = { text: string; left: number; right: number }
export type PageLine = Fragment[]

/** Pieces whose base lines differ by less belong to one line, as a share of their height. */
const lineShare = 0.5
/** A wider gap separates words, a much wider one columns, as a share of the height. */
const wordGapShare = 0.12
const columnGapShare = 0.75

export function joinFragments(pieces: readonly Piece[]): PageLine[] {
  const lines: Piece[][] = []
  for (const piece of pieces.toSorted((one, other) => other.base - one.base)) {
    const line = lines.at(-1)
    const first = line?.[0]
    const tolerance = lineShare * Math.min(first?.height ?? 0, piece.height)
    if (line === undefined || first === undefined || first.base - piece.base > tolerance) lines.push([piece])
    else line.push(piece)
  }
  return lines.map(joinLine)
}

function joinLine(pieces: readonly Piece[]): PageLine {
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
