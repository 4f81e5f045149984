import type { ImageFormat } from '@baize/images'
import type { LogoSource, LogoStatus } from './kinds.ts'

/** A stored logo, with times in milliseconds. */
export type StoredLogo = {
  variant: string
  theme: string
  format: ImageFormat
  width: number | null
  height: number | null
  file_name: string
  source: LogoSource
  status: LogoStatus
  first_seen_at: number
  superseded_at: number | null
}

/** A logo in an import; null means that the line leaves the field out. */
export type ImportedLogo = Omit<StoredLogo, 'status' | 'first_seen_at'> & {
  status: LogoStatus | null
  first_seen_at: number | null
}

export type Outcome = 'added' | 'changed' | 'unchanged'
type Reconciled<Stored extends StoredLogo> = {
  outcomes: Outcome[]
  inserts: StoredLogo[]
  updates: Stored[]
}

/**
 * Compares imported logos with stored ones. A new current image supersedes those of its variant and theme
 * that the import does not list. A withdrawn or rejected image stays so until a line has `status: current`.
 */
export function reconcileLogos<Stored extends StoredLogo>(
  stored: readonly Stored[],
  imported: readonly ImportedLogo[],
  now: number,
): Reconciled<Stored> {
  const last = new Map(imported.map(line => [recordOf(line), line]))
  const counts = (line: ImportedLogo) => last.get(recordOf(line)) === line
  const reconciler = new Reconciler(stored, imported.filter(counts), now)
  const outcomes = imported.map(line => (counts(line) ? reconciler.apply(line) : 'unchanged'))
  reconciler.supersede()
  return { outcomes, ...reconciler.changes() }
}

/** Identifies a current image by its slot and format, and any other by its date. */
function recordOf(line: ImportedLogo): string {
  if (becomesCurrent(line)) return `${slotOf(line)} ${line.format}`
  return `${imageOf(line)} ${line.first_seen_at}`
}

const becomesCurrent = ({ status }: ImportedLogo) => status === null || status === 'current'

type Slot = Pick<StoredLogo, 'variant' | 'theme'>
const slotOf = ({ variant, theme }: Slot) => `${variant} ${theme}`
const imageOf = (image: Slot & { file_name: string }) => `${slotOf(image)} ${image.file_name}`

class Reconciler<Stored extends StoredLogo> {
  readonly #now: number
  readonly #before: readonly Stored[]
  readonly #rows: StoredLogo[]
  readonly #byImage: Map<string, StoredLogo[]>
  readonly #listed: ReadonlySet<string>
  readonly #newSince = new Map<string, number>()
  readonly #unlistedSince = new Map<string, number>()

  constructor(stored: readonly Stored[], imported: readonly ImportedLogo[], now: number) {
    this.#now = now
    this.#before = stored
    this.#rows = stored.map(row => ({ ...row }))
    this.#byImage = Map.groupBy(this.#rows, imageOf)
    this.#listed = new Set(imported.filter(becomesCurrent).map(imageOf))
    for (const row of this.#rows) {
      if (row.status !== 'current' || this.#listed.has(imageOf(row))) continue
      const since = Math.max(row.first_seen_at, this.#unlistedSince.get(slotOf(row)) ?? row.first_seen_at)
      this.#unlistedSince.set(slotOf(row), since)
    }
  }

  apply(line: ImportedLogo): Outcome {
    const row = this.#find(line)
    const status = row === undefined ? null : this.#nextStatus(line, row)
    if (row === undefined || status === null) return this.#add(line)
    const before = JSON.stringify(row)
    this.#set(row, status, line.superseded_at)
    row.source = line.source
    return JSON.stringify(row) === before ? 'unchanged' : 'changed'
  }

  #find(line: ImportedLogo): StoredLogo | undefined {
    const rows = (this.#byImage.get(imageOf(line)) ?? []).sort((a, b) => a.first_seen_at - b.first_seen_at)
    const current = becomesCurrent(line) ? rows.find(row => row.status === 'current') : undefined
    if (current !== undefined) return current
    if (line.first_seen_at === null) return rows.at(-1)
    return rows.find(row => row.first_seen_at === line.first_seen_at)
  }

  #add(line: ImportedLogo): Outcome {
    const first_seen_at = line.first_seen_at ?? line.superseded_at ?? this.#now
    const row: StoredLogo = { ...line, status: 'rejected', first_seen_at, superseded_at: null }
    const later = this.#unlistedSince.get(slotOf(line)) ?? first_seen_at
    if (line.status === null && later > first_seen_at) this.#set(row, 'superseded', later)
    else this.#set(row, line.status ?? 'current', line.superseded_at)
    this.#rows.push(row)
    this.#byImage.set(imageOf(row), [...(this.#byImage.get(imageOf(row)) ?? []), row])
    return 'added'
  }

  /** Returns the new status; null if the image returns after a gap, and gets a second row. */
  #nextStatus(line: ImportedLogo, row: StoredLogo): LogoStatus | null {
    if (!becomesCurrent(line)) return line.status
    if (row.status === 'current' || (line.status === 'current' && line.first_seen_at !== null))
      return 'current'
    if (row.status !== 'superseded') return line.status ?? row.status
    // A line with a date describes the period that is stored already.
    if (line.first_seen_at !== null) return 'superseded'
    return row.first_seen_at < this.#now ? null : 'current'
  }

  #set(row: StoredLogo, status: LogoStatus, supersededAt: number | null): void {
    const wasCurrent = row.status === 'current'
    row.status = status
    if (status === 'current') {
      row.superseded_at = null
      if (wasCurrent) return
      const slot = slotOf(row)
      this.#newSince.set(slot, Math.min(row.first_seen_at, this.#newSince.get(slot) ?? row.first_seen_at))
    } else {
      // A rejected image that was never current has no end.
      const ended = status === 'rejected' && !wasCurrent ? null : Math.max(this.#now, row.first_seen_at)
      row.superseded_at = supersededAt ?? row.superseded_at ?? ended
    }
  }

  supersede(): void {
    for (const row of this.#rows) {
      const began = this.#newSince.get(slotOf(row))
      if (row.status !== 'current' || began === undefined || this.#listed.has(imageOf(row))) continue
      this.#set(row, 'superseded', Math.max(began, row.first_seen_at))
    }
  }

  changes(): { inserts: StoredLogo[]; updates: Stored[] } {
    const rows = this.#rows.slice(0, this.#before.length) as Stored[]
    return {
      inserts: this.#rows.slice(this.#before.length),
      updates: rows.filter((row, index) => JSON.stringify(row) !== JSON.stringify(this.#before[index])),
    }
  }
}
