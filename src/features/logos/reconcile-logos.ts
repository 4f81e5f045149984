import type { LogoSource, LogoStatus } from './kinds.ts'
import type { ImageFormat } from './logo-file.ts'

/** An image of a subject as it is held. Moments are in milliseconds. */
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

/** What a line says of an image; null is what it leaves out. */
export type ImportedLogo = Omit<StoredLogo, 'status' | 'first_seen_at'> & {
  status: LogoStatus | null
  first_seen_at: number | null
}

export type Outcome = 'added' | 'changed' | 'unchanged'
export type Reconciled<Held extends StoredLogo> = {
  outcomes: Outcome[]
  inserts: StoredLogo[]
  /** Those held that are otherwise now. */
  updates: Held[]
}

/**
 * What becomes of a subject's images, all at once, when files say something of them. What becomes current takes the place of
 * everything of its variant and theme that the same files do not name: so a drawing and its pixels can stand side by side,
 * and a new logo leaves no old one behind in another format. What was withdrawn or rejected stays so until a line says
 * `current` in so many words.
 */
export function reconcileLogos<Held extends StoredLogo>(
  held: readonly Held[],
  said: readonly ImportedLogo[],
  now: number,
): Reconciled<Held> {
  const last = new Map(said.map(line => [recordOf(line), line]))
  // Of several lines about one record the last one stands.
  const stands = (line: ImportedLogo) => last.get(recordOf(line)) === line
  const board = new Board(held, said.filter(stands), now)
  const outcomes = said.map(line => (stands(line) ? board.take(line) : 'unchanged'))
  board.supersede()
  return { outcomes, ...board.written() }
}

/** What is current in a place in a format; or an image, in the time that its line tells of. */
function recordOf(line: ImportedLogo): string {
  if (becomesCurrent(line)) return `${placeOf(line)} ${line.format}`
  return `${imageOf(line)} ${line.first_seen_at}`
}

const becomesCurrent = ({ status }: ImportedLogo) => status === null || status === 'current'

type Placed = Pick<StoredLogo, 'variant' | 'theme' | 'file_name'>
const placeOf = ({ variant, theme }: Pick<StoredLogo, 'variant' | 'theme'>) => `${variant} ${theme}`
const imageOf = (image: Placed) => `${placeOf(image)} ${image.file_name}`

class Board<Held extends StoredLogo> {
  readonly #now: number
  readonly #before: readonly Held[]
  readonly #rows: StoredLogo[]
  readonly #byImage: Map<string, StoredLogo[]>
  /** Images that the files call current. */
  readonly #named: ReadonlySet<string>
  /** By place, since when the files have something new there. */
  readonly #fresh = new Map<string, number>()
  /** By place, since when something is current there that the files do not name. */
  readonly #unnamed = new Map<string, number>()

  constructor(held: readonly Held[], said: readonly ImportedLogo[], now: number) {
    this.#now = now
    this.#before = held
    this.#rows = held.map(row => ({ ...row }))
    this.#byImage = Map.groupBy(this.#rows, imageOf)
    this.#named = new Set(said.filter(becomesCurrent).map(imageOf))
    for (const row of this.#rows) {
      if (row.status !== 'current' || this.#named.has(imageOf(row))) continue
      const since = Math.max(row.first_seen_at, this.#unnamed.get(placeOf(row)) ?? row.first_seen_at)
      this.#unnamed.set(placeOf(row), since)
    }
  }

  take(line: ImportedLogo): Outcome {
    const known = this.#find(line)
    const status = known === undefined ? null : this.#statusOf(line, known)
    if (known === undefined || status === null) return this.#add(line)
    const before = JSON.stringify(known)
    this.#set(known, status, line.superseded_at)
    known.source = line.source
    return JSON.stringify(known) === before ? 'unchanged' : 'changed'
  }

  /** The same file in the same place: what is current, for a line that calls it so; that of the line's date; or the latest. */
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
    const later = this.#unnamed.get(placeOf(line)) ?? first_seen_at
    // An older file that is loaded late tells of the past.
    if (line.status === null && later > first_seen_at) this.#set(row, 'superseded', later)
    else this.#set(row, line.status ?? 'current', line.superseded_at)
    this.#rows.push(row)
    this.#byImage.set(imageOf(row), [...(this.#byImage.get(imageOf(row)) ?? []), row])
    return 'added'
  }

  /** What a line makes of an image that is held; null: it comes back, and the time in between was not its own. */
  #statusOf(line: ImportedLogo, held: StoredLogo): LogoStatus | null {
    if (!becomesCurrent(line)) return line.status
    if (held.status === 'current' || (line.status === 'current' && line.first_seen_at !== null))
      return 'current'
    if (held.status !== 'superseded') return line.status ?? held.status
    // With its date the line tells of the time that is held already.
    if (line.first_seen_at !== null) return 'superseded'
    return held.first_seen_at < this.#now ? null : 'current'
  }

  #set(row: StoredLogo, status: LogoStatus, supersededAt: number | null): void {
    const wasCurrent = row.status === 'current'
    row.status = status
    if (status === 'current') {
      row.superseded_at = null
      if (wasCurrent) return
      const place = placeOf(row)
      this.#fresh.set(place, Math.min(row.first_seen_at, this.#fresh.get(place) ?? row.first_seen_at))
    } else {
      // What was rejected and never current has no end.
      const ended = status === 'rejected' && !wasCurrent ? null : Math.max(this.#now, row.first_seen_at)
      row.superseded_at = supersededAt ?? row.superseded_at ?? ended
    }
  }

  /** What stood in the place of something new ended when that began. */
  supersede(): void {
    for (const row of this.#rows) {
      const began = this.#fresh.get(placeOf(row))
      if (row.status !== 'current' || began === undefined || this.#named.has(imageOf(row))) continue
      this.#set(row, 'superseded', Math.max(began, row.first_seen_at))
    }
  }

  written(): { inserts: StoredLogo[]; updates: Held[] } {
    const rows = this.#rows.slice(0, this.#before.length) as Held[]
    return {
      inserts: this.#rows.slice(this.#before.length),
      updates: rows.filter((row, index) => JSON.stringify(row) !== JSON.stringify(this.#before[index])),
    }
  }
}
