import { storableText } from '@baize/names'
import { besideRowsNotice, incompleteNotice } from '@baize/tables'
import { mirrorNotice, unknownColumnNotice } from '../entries/index.ts'
import type { Notice, Reject, RejectReason } from '../stream.ts'

const rejectsShownPerReasonMax = 10
const noticeKindsMax = 50
const noticeExamplesMax = 5
const publishedCharactersMax = 200

/** Counts the kinds of notices beyond `noticeKindsMax`. */
const otherNotices = 'other notices'

export type RejectShown = { line: number; published: string; reason: RejectReason }
export type NoticeShown = { notice: string; count: number; examples: string[] }

/** The form in which a stream was read: the regulator's own, or that of a mirror. */
export type Form = 'official' | 'mirror'

/** Counts the rows of a snapshot that were not used, by reason. */
export type ReadRows = {
  rows: number
  rejected: number
  rejectedByReason: Record<string, number>
  rejects: RejectShown[]
  /** The number of rows that the source has not decided. */
  undecided: number
}

/** Counts all rejects and notices of one snapshot, and stores a bounded sample. */
export class RecordTally implements ReadRows {
  rows = 0
  rejected = 0
  undecided = 0
  readonly rejectedByReason: Record<string, number> = {}
  readonly rejects: RejectShown[] = []
  /** Whether the last row that was read could not be split into its columns. */
  endsUnparsable = false
  form: Form = 'official'
  readonly unknownColumns = new Set<string>()
  /** What the file states of its number of rows, where fewer were read. */
  incomplete: string | null = null
  /** The number of elements that stand beside rows and are none. */
  besideRows = 0
  readonly #notices = new Map<string, NoticeShown>()

  get readRows(): ReadRows {
    const { rows, rejected, rejectedByReason, rejects, undecided } = this
    return { rows, rejected, rejectedByReason, rejects, undecided }
  }

  get notices(): NoticeShown[] {
    return [...this.#notices.values()]
  }

  addReject({ line, published, reason }: Reject): void {
    this.endsUnparsable = reason === 'unparsable'
    this.rows += 1
    if (reason === 'undecided') {
      this.undecided += 1
      return
    }
    this.addRejects(reason, 1)
    if ((this.rejectedByReason[reason] ?? 0) <= rejectsShownPerReasonMax) {
      this.rejects.push({ line, published: shortened(published), reason })
    }
  }

  /** Counts rows that were rejected after reading, when their lines are no longer known. */
  addRejects(reason: RejectReason, count: number): void {
    if (count === 0) return
    this.rejected += count
    this.rejectedByReason[reason] = (this.rejectedByReason[reason] ?? 0) + count
  }

  addNotice({ notice, published }: Notice): void {
    if (notice === mirrorNotice) this.form = 'mirror'
    if (notice === incompleteNotice) this.incomplete = published
    if (notice === besideRowsNotice) this.besideRows += 1
    if (notice === unknownColumnNotice && this.unknownColumns.size < noticeKindsMax)
      this.unknownColumns.add(shortened(published))
    this.addNotices(notice, 1, [published])
  }

  addNotices(notice: string, count: number, examples: string[] = []): void {
    if (count === 0) return
    const kind = this.#notices.has(notice) || this.#notices.size < noticeKindsMax ? notice : otherNotices
    const shown = this.#notices.get(kind) ?? { notice: kind, count: 0, examples: [] }
    shown.count += count
    for (const example of examples.slice(0, noticeExamplesMax - shown.examples.length)) {
      shown.examples.push(shortened(example))
    }
    this.#notices.set(kind, shown)
  }
}

function shortened(published: string): string {
  const isShort = published.length <= publishedCharactersMax
  return storableText(isShort ? published : `${published.slice(0, publishedCharactersMax)}…`)
}
