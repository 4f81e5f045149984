import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { readSettings } from '../config/settings.ts'
import { StaffError } from '../core/staff-error.ts'
import type { World } from '../database/open.ts'
import {
  approveSnapshot,
  type DiscardReport,
  describeRegister,
  discardSnapshot,
  fetchRegister,
  findKnownStream,
  knownStreams,
  listCoverage,
  listRegisters,
  type RegisterListing,
  type RegisterRun,
  type RejectShown,
  registerHistory,
  type Stream,
  type SyncReport,
  sourceFileFrom,
  syncRegister,
  unwatchRegister,
  watchRegister,
} from '../registers/index.ts'
import { type Out, onOneLine, table } from './output.ts'
import { momentOf } from './read-time.ts'
import { withSession } from './session.ts'

/** Examples shown per notice or reason, each short enough for one line. `--json` has all that are stored. */
const examplesShownMax = 3
const exampleCharactersMax = 40
/** The newest snapshots of a history whose rejected rows are explained. */
const snapshotsExplainedMax = 10

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a list of commands.
export function registerCommands(program: Command, out: Out): void {
  const register = program.command('register').description('Registers of licenses and blocklists.')

  register
    .command('list')
    .description('List all streams with their stored facts, and the markets without a stream.')
    .option('--markets', 'list markets instead of streams')
    .action(async ({ markets }: { markets?: boolean }) => {
      const { streams, listed, coverage } = await withSession(async ({ world }) => {
        const streams = await knownStreams(world)
        return {
          streams,
          listed: await listRegisters(world, streams),
          coverage: await listCoverage(world, streams),
        }
      })
      if (markets) return out.print({ json: coverage, text: table(coverage) })
      const fed = coverage.filter(market => market.coverage === 'fed').length
      const unread = coverage.filter(market => market.coverage === 'not_fed_yet').map(market => market.market)
      const lines = [
        table(listed.map(shortListing)),
        '',
        `${streams.length} streams. ${fed} of ${coverage.length} markets have data; ` +
          `${unread.length} have no stream yet:`,
        unread.join(', '),
      ]
      out.print({ json: listed, text: lines.join('\n') })
    })

  register
    .command('sync <stream>')
    .description('Read one snapshot from files and apply its changes.')
    .requiredOption('--file <file>', 'a file of the snapshot; repeatable', repeated)
    .option('--taken-at <time>', 'when the source was read (ISO 8601 with an offset; default: now)')
    .action(async (key: string, { file: files, takenAt }: { file: string[]; takenAt?: string }) => {
      const now = new Date()
      const options = { takenAt: takenAt === undefined ? now : momentOf('--taken-at', takenAt), now }
      const report = await withSession(async ({ world }) => {
        const stream = await requireStream(world, key)
        return syncRegister(world, stream, await Promise.all(files.map(sourceFileFrom)), options)
      })
      printReport(out, report)
    })

  register
    .command('fetch <stream>')
    .description('Fetch one snapshot and apply its changes.')
    .option('--url <url>', 'an address of the snapshot; repeatable (default: the official one)', repeated)
    .action(async (key: string, { url: urls }: { url?: string[] }) => {
      const report = await withSession(async ({ world }) => {
        const stream = await requireStream(world, key)
        return fetchRegister(world, stream, {
          urls: urls ?? [stream.officialUrl],
          now: new Date(),
          network: readSettings().network,
        })
      })
      printReport(out, report)
    })

  register
    .command('watch <stream>')
    .description('Fetch a stream regularly. Streams that are not watched are never fetched.')
    .option('--url <url>', 'an address of the snapshot; repeatable (default: the official one)', repeated)
    .option('--every-minutes <minutes>', 'the interval (default: the cadence of the stream)', Number)
    .action(async (key: string, options: { url?: string[]; everyMinutes?: number }) => {
      const watch = await withSession(async ({ world }) => {
        const stream = await requireStream(world, key)
        const allowedHosts = readSettings().network.allowedHosts
        return watchRegister(world, stream, {
          urls: options.url ?? [stream.officialUrl],
          ...(options.everyMinutes === undefined ? {} : { everyMinutes: options.everyMinutes }),
          allowedHosts,
        })
      })
      out.print({ json: watch, text: table([watch]) })
    })

  register
    .command('unwatch <stream>')
    .description('Stop fetching a stream regularly.')
    .action(async (key: string) => {
      const wasWatched = await withSession(async ({ world }) =>
        unwatchRegister(world, await requireStream(world, key)),
      )
      out.print({
        json: { stream: key, was_watched: wasWatched },
        text: wasWatched ? `${key} is no longer watched.` : `${key} was not watched.`,
      })
    })

  register
    .command('approve <snapshot>')
    .description('Apply a quarantined snapshot after a review.')
    .requiredOption('--why <reason>', 'the reason; stored with the approval')
    .action(async (ref: string, { why }: { why: string }) => {
      const report = await withSession(({ world }) =>
        approveSnapshot(world, {
          snapshotRef: ref,
          reason: why,
          findStream: findKnownStream,
          now: new Date(),
        }),
      )
      printReport(out, report)
    })

  register
    .command('discard <snapshot>')
    .description('Take back the latest applied snapshot of a stream with its facts.')
    .requiredOption('--why <reason>', 'the reason; stored with the snapshot')
    .action(async (snapshotRef: string, { why: reason }: { why: string }) => {
      const report = await withSession(({ world }) =>
        discardSnapshot(world, { snapshotRef, reason, now: new Date() }),
      )
      out.print({ json: report, text: discardText(report) })
    })

  register
    .command('describe <file>')
    .description('Add a register described in a file (see docs/describing-a-register.md).')
    .option('--check', 'only check the file')
    .action(async (file: string, { check = false }: { check?: boolean }) => {
      const text = await readFile(file, 'utf8').catch((error: Error) => {
        throw new StaffError(`${file}: ${error.message}`)
      })
      const described = await withSession(({ world }) =>
        describeRegister(world, text, { now: new Date(), checkOnly: check }),
      )
      const lines = described.ok
        ? [`${described.stream} can be synced${check ? ' once it is added without --check' : ''}.`]
        : described.problems.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`)
      out.print({ json: described, text: lines.join('\n'), failed: !described.ok })
    })

  register
    .command('history <stream>')
    .description('List the snapshots and runs of a stream, newest first.')
    .action(async (key: string) => {
      const runs = await withSession(async ({ world }) =>
        registerHistory(world, (await requireStream(world, key)).key),
      )
      out.print({ json: runs, text: historyText(runs) })
    })
}

function historyText(runs: readonly RegisterRun[]): string {
  const rows = runs.map(({ rejected_by_reason: _counts, rejects: _examples, ...row }) => row)
  // Later runs with the same snapshot come first; unchanged ones repeat it.
  const snapshots = new Map(runs.map(run => [run.snapshot_ref, run]))
  const rejecting = [...snapshots.values()].filter(run => (run.rejected ?? 0) > 0)
  const lines = rejecting
    .slice(0, snapshotsExplainedMax)
    .flatMap(run => [
      '',
      `${run.snapshot_ref}: ${run.rejected} of ${run.rows} rows rejected`,
      ...rejectLines(run.rejected_by_reason ?? {}, run.rejects ?? []),
    ])
  if (rejecting.length > snapshotsExplainedMax)
    lines.push(
      '',
      `Older snapshots with rejected rows: ${rejecting.length - snapshotsExplainedMax}; see --json.`,
    )
  return [table(rows), ...lines].join('\n')
}

function rejectLines(counts: Record<string, number>, rejects: readonly RejectShown[]): string[] {
  return Object.entries(counts)
    .sort(([, one], [, other]) => other - one)
    .map(([reason, count]) => {
      const examples = rejects.filter(each => each.reason === reason).map(each => each.published)
      return `  rejected ${count}: ${reason}${shownExamples(examples, count)}`
    })
}

function repeated(value: string, values: string[] = []): string[] {
  return [...values, value]
}

/** Exits with 1 if the snapshot was refused or quarantined, so that a scheduler notices. */
function printReport(out: Out, report: SyncReport): void {
  const { stream, status, reasons, rows, rejected, undecided, added, removed, changed, signals } = report
  const would = status === 'held' ? 'would be ' : ''
  const approveWith = status === 'held' ? `baize register approve ${report.snapshot_ref} --why "…"` : null
  const lines = [
    `${stream}: ${status}${report.snapshot_ref === null ? '' : `, snapshot ${report.snapshot_ref}`}`,
    ...reasons.map(reason => `  ${reason}`),
    `${rows} rows, ${rejected} rejected${undecided === 0 ? '' : `, ${undecided} undecided`}; ` +
      `${would}${added} added, ${removed} removed, ${changed} changed; ${signals} signals`,
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

function discardText({ stream, snapshot_ref, current_ref, taken_at, signals }: DiscardReport): string {
  const state =
    current_ref === null
      ? 'The stream is empty; its file can be synced again.'
      : `The stream is back at ${current_ref}, last read at ${taken_at?.toISOString()}.`
  return `${stream}: discarded snapshot ${snapshot_ref}; ${signals} correcting signals\n${state}`
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

/** One line per stream; `--json` has everything. */
function shortListing(listed: RegisterListing) {
  return {
    stream: listed.stream,
    market: listed.market,
    taken_at: minuteOf(listed.last_snapshot?.taken_at),
    last_confirmed_at: minuteOf(listed.last_confirmed_at),
    quarantined_since: minuteOf(listed.held?.since),
    every_minutes: listed.watched?.every_minutes,
    ...listed.open_facts,
  }
}

function minuteOf(moment: Date | null | undefined): string | null {
  return moment ? `${moment.toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length)}Z` : null
}

async function requireStream(world: World, key: string): Promise<Stream> {
  const stream = await findKnownStream(world, key)
  if (stream === undefined) throw new StaffError(`Unknown stream "${key}". "register list" lists all.`)
  return stream
}
