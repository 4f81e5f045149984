/** Recognises the large carousel at the top of a lobby. */
import type { Box } from './dom.ts'

/** Slides fill at least this part of the width of the page. */
const widthShareMin = 0.4
const heightMin = 160
/** Slides of one row may differ by this many pixels. */
const rowTolerance = 20

/** Checks for a row of large slides that begins above the fold. A list of large tiles has several rows. */
export function isHeroRow(
  boxes: readonly (Box | null)[],
  { pageWidth, viewportHeight }: { pageWidth: number; viewportHeight: number },
): boolean {
  const [first] = boxes
  if (first === undefined || first === null || first.y >= viewportHeight) return false
  return boxes.every(
    box =>
      box !== null &&
      box.width >= widthShareMin * pageWidth &&
      box.height >= heightMin &&
      Math.abs(box.y - first.y) <= rowTolerance,
  )
}
