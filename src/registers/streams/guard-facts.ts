import type { Stream } from '../stream.ts'

/** For streams of which no removals are known. */
export const removedShareMaxDefault = 0.1

export type KnownFiles = {
  /** Rows of the smallest known file, rejected ones included. */
  rowsLeast: number
  /** Rows of the largest known file. Default: `rowsLeast`. */
  rowsMost?: number | undefined
  removedShareMax?: number | undefined
  /** Default: true. */
  endsWithLineBreak?: boolean | undefined
}

/** Bounds are wide: a tenth of the smallest known file to ten times the largest. Half of it is complete. */
export function guardFacts({
  rowsLeast,
  rowsMost = rowsLeast,
  removedShareMax = removedShareMaxDefault,
  endsWithLineBreak = true,
}: KnownFiles): Pick<
  Stream,
  'rowsMin' | 'rowsMax' | 'rowsComplete' | 'removedShareMax' | 'endsWithLineBreak'
> {
  return {
    rowsMin: Math.max(1, Math.floor(rowsLeast / 10)),
    rowsMax: rowsMost * 10,
    rowsComplete: Math.floor(rowsLeast / 2),
    removedShareMax,
    endsWithLineBreak,
  }
}
