import { counted } from '@baize/names'
import { type Out, onOneLine } from '@baize/terminal'
import type { RejectShown, SyncReport } from '../registers/index.ts'

/**
 * Limits the examples per notice or reason, each of which fits on one line. `--json` prints all that are
 * stored.
 */
const examplesShownMax = 3
const exampleCharactersMax = 40

/** Exits with 1 if the snapshot was refused or quarantined, so that a scheduler notices. */
export function printReport(out: Out, report: SyncReport): void {
  const { stream, status, reasons, rows, rejected, undecided, added, removed, changed, signals } = report
  const would = status === 'held' ? 'would be ' : ''
  const approveWith = status === 'held' ? `baize register approve ${report.snapshot_ref} --why "…"` : null
  const lines = [
    `${stream}: ${status}${report.snapshot_ref === null ? '' : `, snapshot ${report.snapshot_ref}`}`,
    ...reasons.map(reason => `  ${reason}`),
    `${counted(rows, 'row')}, ${rejected} rejected${undecided === 0 ? '' : `, ${undecided} undecided`}; ` +
      `${would}${added} added, ${removed} removed, ${changed} changed; ${counted(signals, 'signal')}`,
    ...rejectLines(report.rejected_by_reason, report.rejects),
    ...report.notices.map(noticeLine),
  ]
  if (approveWith !== null) lines.push(`Nothing was changed. To apply it after a review: ${approveWith}`)
  out.print({
    json: approveWith === null ? report : { ...report, approve_with: approveWith },
    text: lines.join('\n'),
    failed: status === 'refused' || status === 'held',
  })
}

export function rejectLines(counts: Record<string, number>, rejects: readonly RejectShown[]): string[] {
  return Object.entries(counts)
    .sort(([, one], [, other]) => other - one)
    .map(([reason, count]) => {
      const examples = rejects.filter(each => each.reason === reason).map(each => each.published)
      return `  rejected ${count}: ${reason}${shownExamples(examples, count)}`
    })
}

function noticeLine({ notice, count, examples }: SyncReport['notices'][number]): string {
  return `  notice ${count}: ${onOneLine(notice)}${shownExamples(examples, count)}`
}

function shownExamples(examples: readonly string[], count: number): string {
  const shown = [...new Set(examples)].slice(0, examplesShownMax).map(example => {
    const text = onOneLine(example)
    return text.length > exampleCharactersMax ? `${text.slice(0, exampleCharactersMax)}…` : text
  })
  const more = shown.length > 0 && count > shown.length ? '; …' : ''
  return shown.length === 0 ? '' : ` (${shown.join('; ')}${more})`
}
