import { readFile } from 'node:fs/promises'
import { counted, plural, readDomain } from '@baize/names'
import { type Out, onOneLine, printTable } from '@baize/terminal'
import type { Command } from 'commander'
import { StaffError } from '../core/staff-error.ts'
import type { World } from '../database/open.ts'
import { aCommand } from '../features/audit/index.ts'
import { readTimeline, withdrawPastList } from '../features/timelines/index.ts'
import {
  addDescribedRegister,
  approveSnapshot,
  backfillEvidence,
  backfillRegister,
  type DiscardReport,
  describeRegister,
  discardSnapshot,
  type EvidenceReport,
  findKnownStream,
  knownStreams,
  listCoverage,
  listRegisters,
  type RegisterListing,
  type RegisterRun,
  registerHistory,
  sourceFileFrom,
  syncRegister,
} from '../registers/index.ts'
import { momentOf, repeated } from './read-argument.ts'
import { recordCommand } from './record-command.ts'
import { printReport, rejectLines } from './register-report.ts'
import { registerSourceCommands, requireStream } from './register-sources.ts'
import { withSession } from './session.ts'

/** Limits the explanation of rejected rows to the newest snapshots of a history. */
const snapshotsExplainedMax = 10

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a list of commands.
export function registerCommands(program: Command, out: Out): void {
  const register = program.command('register').description('Registers of licenses and blocklists.')
  registerSourceCommands(register, out)

  register
    .command('list')
    .description('List all streams with their stored facts, and the markets without a stream.')
    .option('--markets', 'list markets instead of streams')
    .action(async ({ markets }: { markets?: boolean }) => {
      const { streams, listed, coverage } = await withSession(async ({ world }) => {
        const streams = await knownStreams(world)
        return {
          streams,
          listed: await listRegisters(world, streams, new Date()),
          coverage: await listCoverage(world, streams),
        }
      })
      if (markets) return out.print({ json: coverage, text: printTable(coverage) })
      const fed = coverage.filter(market => market.coverage === 'fed').length
      const unread = coverage.filter(market => market.coverage === 'not_fed_yet').map(market => market.market)
      const lines = [
        printTable(listed.map(shortListing)),
        '',
        `${counted(streams.length, 'stream')}. ` +
          `${fed} of ${coverage.length} markets ${plural(fed, 'has', 'have')} data; ` +
          `${counted(unread.length, 'has', 'have')} no stream yet:`,
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
        await recordCommand(world, 'register.sync_started', key, { files })
        return syncRegister(world, stream, await Promise.all(files.map(sourceFileFrom)), options)
      })
      printReport(out, report)
    })

  register
    .command('backfill <stream> <folder>')
    .description('Read a folder of dated files in order, as history. Its signals are marked and free.')
    .option('--as-evidence', 'read dated lists of sites, a site a line, that license nothing today')
    .action(async (key: string, folder: string, { asEvidence = false }: { asEvidence?: boolean }) => {
      if (asEvidence) return printEvidence(key, folder, out)
      const report = await withSession(async ({ world }) => {
        const stream = await requireStream(world, key)
        await recordCommand(world, 'register.backfill_started', key, { folder })
        return backfillRegister(world, stream, folder, { now: () => new Date() })
      })
      const isQuarantined = report.snapshots.at(-1)?.status === 'held'
      const failed = isQuarantined || report.snapshots.some(({ status }) => status === 'refused')
      out.print({ json: report, text: backfillText(report), failed })
    })

  register
    .command('withdraw-list <stream> <day>')
    .description('Take back a dated list that "backfill --as-evidence" read.')
    .requiredOption('--why <reason>', 'the reason, which only staff see')
    .action(async (key: string, listedOn: string, { why }: { why: string }) => {
      if (!/^\d{4}-\d{2}-\d{2}$/.test(listedOn) || Number.isNaN(Date.parse(listedOn)))
        throw new StaffError(`"${listedOn}" must be a day, such as 2026-04-18.`)
      await withSession(async ({ world }) => {
        const { key: stream } = await requireStream(world, key)
        await withdrawPastList(world, { stream, listedOn, why, now: new Date() })
      })
      const json = { stream: key, listed_on: listedOn, status: 'withdrawn' }
      out.print({ json, text: `${key}: the list of ${listedOn} does not count any more` })
    })

  register
    .command('timeline <domain>')
    .description('Show when registers and dated lists named a site, oldest first.')
    .action(async (input: string) => {
      const read = readDomain(input)
      if (!read.ok) throw new StaffError(`"${onOneLine(input)}" is not a domain.`)
      const periods = await withSession(({ world }) => readTimeline(world.database, read.domain))
      const none = `No register and no dated list named ${read.domain}.`
      out.print({ json: periods, text: periods.length === 0 ? none : printTable(periods) })
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
          by: aCommand,
        }),
      )
      printReport(out, report)
    })

  register
    .command('discard <snapshot>')
    .description('Take back the latest applied snapshot of a stream, or end the quarantine of one.')
    .requiredOption('--why <reason>', 'the reason; stored with the snapshot')
    .action(async (snapshotRef: string, { why: reason }: { why: string }) => {
      const report = await withSession(({ world }) =>
        discardSnapshot(world, { snapshotRef, reason, now: new Date(), by: aCommand }),
      )
      out.print({ json: report, text: discardText(report) })
    })

  register
    .command('describe <file>')
    .description('Add a register described in a file (see docs/describing-a-register.md).')
    .option('--check', 'only check the file')
    .option('--add', 'add it to the registers of this program, instead of this installation; needs --sample')
    .option(
      '--sample <files...>',
      'the files of a snapshot in the layout of the register, with fictional names',
    )
    .option('--page <files...>', 'the pages that lead to the files, if they are found by a link')
    .action((file: string, options: DescribeOptions) => describe(file, options, out))

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

async function printEvidence(key: string, folder: string, out: Out): Promise<void> {
  const report = await withSession(async ({ world }) => {
    const stream = await requireStream(world, key)
    await recordCommand(world, 'register.evidence_started', key, { folder })
    return backfillEvidence(world, stream, folder, new Date())
  })
  const failed = report.lists.some(({ status }) => status === 'refused' || status === 'differs')
  out.print({ json: report, text: evidenceText(report), failed })
}

function evidenceText({ lists }: EvidenceReport): string {
  return [
    printTable(lists.map(({ reasons: _reasons, ...row }) => row)),
    ...lists.flatMap(({ listed_on, reasons }) =>
      reasons.map(reason => `  ${listed_on}: ${onOneLine(reason)}`),
    ),
    'Lists are evidence of the past. No verdict, Signal or search changed.',
  ].join('\n')
}

type DescribeOptions = { check?: true; add?: true; sample?: string[]; page?: string[] }

async function describe(file: string, options: DescribeOptions, out: Out): Promise<void> {
  const { check = false, add = false, sample, page = [] } = options
  const text = await readText(file)
  if (add && sample === undefined) throw new StaffError('--add needs --sample, a file of the register.')
  const described =
    add && sample !== undefined
      ? await addDescribedRegister(text, { samples: sample, pages: page })
      : await withSession(({ world }) => describeHere(world, text, check))
  const lines = described.ok
    ? describedLines(described, check)
    : described.problems.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`)
  out.print({ json: described, text: lines.join('\n'), failed: !described.ok })
}

async function describeHere(world: World, text: string, checkOnly: boolean) {
  const described = await describeRegister(world, text, { now: new Date(), checkOnly })
  if (described.ok && !checkOnly) await recordCommand(world, 'register.described', described.stream)
  return described
}

function describedLines(described: { stream: string; paths?: string[] }, check: boolean): string[] {
  const { stream, paths } = described
  if (paths === undefined)
    return [`${stream} can be synced${check ? ' once it is added without --check' : ''}.`]
  return [`${stream} is a stream of this program. Written:`, ...paths, 'Add it to docs/registers/streams.md.']
}

const readText = (file: string) =>
  readFile(file, 'utf8').catch((error: Error) => {
    throw new StaffError(`${file}: ${error.message}`)
  })

function historyText(runs: readonly RegisterRun[]): string {
  const rows = runs.map(({ rejected_by_reason: _counts, rejects: _examples, ...row }) => row)
  // Later runs with the same snapshot come first, and unchanged runs repeat the snapshot.
  const snapshots = new Map(runs.map(run => [run.snapshot_ref, run]))
  const rejecting = [...snapshots.values()].filter(run => (run.rejected ?? 0) > 0)
  const lines = rejecting
    .slice(0, snapshotsExplainedMax)
    .flatMap(run => [
      '',
      `${run.snapshot_ref}: ${run.rejected} of ${counted(run.rows ?? 0, 'row')} rejected`,
      ...rejectLines(run.rejected_by_reason ?? {}, run.rejects ?? []),
    ])
  if (rejecting.length > snapshotsExplainedMax)
    lines.push(
      '',
      `Older snapshots with rejected rows: ${rejecting.length - snapshotsExplainedMax}; see --json.`,
    )
  return [printTable(rows), ...lines].join('\n')
}

function backfillText({ snapshots, skipped, left }: Awaited<ReturnType<typeof backfillRegister>>): string {
  const waiting = snapshots.at(-1)?.status === 'held' ? snapshots.at(-1) : undefined
  const lines = [
    printTable(
      snapshots.map(({ reasons: _reasons, files, ...row }) => ({ ...row, files: files.join(', ') })),
    ),
    ...snapshots.flatMap(({ taken_at, reasons }) =>
      reasons.map(reason => `  ${taken_at.toISOString().slice(0, 10)}: ${onOneLine(reason)}`),
    ),
    `${snapshots.length} dates read, ${skipped} skipped because they are not after the last snapshot.`,
  ]
  if (waiting !== undefined)
    lines.push(
      `Stopped at a quarantined snapshot; ${left} dates are left. Approve it with ` +
        `"baize register approve ${waiting.snapshot_ref} --why …" or remove its file, and run this again.`,
    )
  return lines.join('\n')
}

function discardText(report: DiscardReport): string {
  const { stream, snapshot_ref, was_applied, current_ref, taken_at, signals } = report
  const state =
    current_ref === null
      ? 'The stream is empty; its file can be synced again.'
      : `The stream is ${was_applied ? 'back at' : 'at'} ${current_ref}, ` +
        `last read at ${taken_at?.toISOString()}.`
  const what = was_applied ? `; ${signals} correcting signals` : ', which was quarantined; no fact changed'
  return `${stream}: discarded snapshot ${snapshot_ref}${what}\n${state}`
}

/** Prints one line per stream; `--json` prints everything. */
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
