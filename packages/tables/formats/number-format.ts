/** Writes numbers of a sheet as their number formats show them. */
import { format, getFormatDateInfo, isDateFormat, isTextFormat } from 'numfmt'

/**
 * Limits the formats. Spreadsheet programs allow about 250 custom ones, and a new format takes up to 2 ms.
 */
const formatsMax = 1_000
/** Limits the characters of all applied formats. The slowest formats take 2 µs for each character. */
const appliedCharactersMax = 10_000_000

const dayMs = 86_400_000
const secondsOfDay = 86_400
/** The day number of 1970-01-01. Number 1 is 1900-01-01, and a 29 February 1900 counts. */
const epochDay = 25_569
/** The day number of 10000-01-01, the first day that cannot be shown. */
const endDay = 2_958_466
/** The number of days between the first days of the two calendars. */
const days1904 = 1_462

type Kind = 'plain' | 'day' | 'minute' | 'second' | 'formatted'

export class NumberFormats {
  readonly #codes: readonly string[]
  readonly #daysAdded: number
  readonly #refuse: (problem: string) => never
  readonly #kinds = new Map<string, Kind>()
  #charactersLeft = appliedCharactersMax

  /** Takes `codes`, the format of each style. */
  constructor(codes: readonly string[], is1904: boolean, refuse: (problem: string) => never) {
    this.#codes = codes
    this.#daysAdded = is1904 ? days1904 : 0
    this.#refuse = refuse
  }

  /** Writes a date in ISO 8601, because a spreadsheet shows most dates by its reader's country. */
  shown(written: string, style: number): string {
    const number = Number(written)
    if (written.trim() === '' || !Number.isFinite(number)) return written
    const code = this.#codes[style] ?? ''
    const kind = this.#kindOf(code)
    if (kind === 'plain') return plainNumber(written, number)
    if (kind !== 'formatted') return instant(number + this.#daysAdded, kind) ?? written
    this.#charactersLeft -= code.length
    if (this.#charactersLeft < 0) this.#refuse('has too many numbers with long number formats')
    return format(code, number + (isDateFormat(code) ? this.#daysAdded : 0))
  }

  #kindOf(code: string): Kind {
    const known = this.#kinds.get(code)
    if (known !== undefined) return known
    if (this.#kinds.size >= formatsMax) this.#refuse(`has more than ${formatsMax} number formats`)
    const kind = kindOf(code)
    this.#kinds.set(code, kind)
    return kind
  }
}

function kindOf(code: string): Kind {
  if (/^(?:general)?$/i.test(code.trim()) || isTextFormat(code)) return 'plain'
  try {
    format(code, 1)
  } catch {
    // The format is not applied, because no spreadsheet program shows a format that it cannot read.
    return 'plain'
  }
  const { year, month, hours, seconds } = getFormatDateInfo(code)
  if (!isDateFormat(code) || !year || !month) return 'formatted'
  if (!hours) return 'day'
  return seconds ? 'second' : 'minute'
}

/**
 * Writes a number in the general format: `1.5E3` is `1500`. A whole number has all its digits, because it may
 * be the number of a license.
 */
function plainNumber(written: string, number: number): string {
  if (Number.isSafeInteger(number)) return String(number)
  return /^-?\d+$/.test(written) ? written : String(Number(number.toPrecision(15)))
}

/** Returns the moment with the shown precision, or null for a number that is not a date. */
function instant(serial: number, shown: 'day' | 'minute' | 'second'): string | null {
  if (serial < 0 || serial >= endDay) return null
  const day = Math.floor(serial)
  let seconds = shown === 'day' ? 0 : Math.round((serial - day) * secondsOfDay)
  if (shown === 'minute') seconds -= seconds % 60
  return new Date((day - epochDay) * dayMs + seconds * 1_000).toISOString()
}
