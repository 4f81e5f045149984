/** Looks at the official address of a stream without applying anything. */

import { counted } from '@baize/names'
import { OutboundError } from '@baize/outbound'
import {
  explainFailure,
  type FetchedSnapshot,
  type FetchFilesOptions,
  fetchFiles,
  findFiles,
} from '@baize/register-fetcher'
import type { Stream } from '@baize/registers'
import { explainRefusals } from '@baize/registers/apart'
import { type Obstacle, obstaclesOfStreams } from '@baize/registers/entries'
import { contentDigest, RecordTally, reasonsOfBrokenFiles, someConsistsOfLines } from '@baize/registers/guard'
import { layoutChanges } from '@baize/registers/official'
import { Refusal } from '@baize/tables'
import type { Transaction, World } from '../../database/open.ts'
import { turnsOf } from '../../database/turns-store.ts'
import { applyTime, isOtherForm } from '../apply/incoming-snapshot.ts'
import { refusalFromError } from '../apply/refusal-from-error.ts'
import { prepareTransaction } from '../apply/sync-transaction-store.ts'
import { compareSnapshot } from '../changes/compare-snapshot.ts'
import { findEarlierSame, servedAgain } from '../guard/baseline-store.ts'
import { checkGuard } from '../guard/check-guard.ts'
import { readLastSnapshot } from '../snapshot/snapshot-store.ts'
import { stageSnapshot } from '../snapshot/stage-snapshot.ts'
import { findNewestDate } from '../snapshot/staging-store.ts'
import { storedSources, storeRawFiles } from '../snapshot/store-files.ts'
import { readProbe, writeProbe } from './probes-store.ts'

const waitMsMax = 60_000

export type ProbeOptions = Omit<FetchFilesOptions, 'urls' | 'turns'> & { now: Date }

/** The report that `register probe --json` prints. */
export type ProbeReport = {
  stream: string
  official_url: string
  probed_at: Date
  is_well: boolean
  /** Whether an official file was received. */
  is_reachable: boolean
  found_urls: string[]
  media_type: string | null
  layout: 'recorded' | 'described'
  /** Whether the reader of the stream can use the file; null when it was not received. */
  is_layout_recognised: boolean | null
  rows: number | null
  rejected: number | null
  rows_min: number
  rows_max: number | null
  /** The newest day in any row; null when no row has a day. */
  newest_date: string | null
  known_obstacle: Obstacle | null
  changes: string[]
  /** The problems that were found. */
  reasons: string[]
}

/** Throws only if it is stopped, or if the database fails. */
export async function probeRegister(
  world: World,
  stream: Stream,
  options: ProbeOptions,
): Promise<ProbeReport> {
  const report = unread(stream, options.now)
  const { database } = world
  const turns = turnsOf(database)
  try {
    report.found_urls = await findFiles(stream, { turns, ...options })
    const fetched = await fetchFiles(
      { ...options, turns, urls: report.found_urls, officialFiles: stream.official.files },
      [],
    )
    if (fetched === null) throw new Error('An unconditional request was answered "not modified".')
    await using snapshot = fetched
    report.is_reachable = true
    report.media_type = snapshot.mediaType
    await readFetched(world, { stream, snapshot, report })
  } catch (error) {
    if (error instanceof OutboundError) {
      if (error.reason === 'stopped') throw error
      report.reasons.push(explainFailure(error, stream))
    } else if (error instanceof Refusal) report.reasons.push(error.message)
    else throw error
  }
  report.changes.push(...(await sinceLastProbe(world, report)))
  report.is_well = report.reasons.length === 0
  await writeProbe(database, stream.key, {
    at: options.now,
    reasons: report.reasons,
    changes: report.changes,
    foundUrl: report.found_urls[0] ?? null,
    mediaType: report.media_type,
    rows: report.rows,
    newestDate: report.newest_date,
    isNightly: true,
  })
  return report
}

function unread({ key, official, officialUrl, rowsMin, rowsMax }: Stream, now: Date): ProbeReport {
  return {
    stream: key,
    official_url: officialUrl,
    probed_at: now,
    is_well: false,
    is_reachable: false,
    found_urls: [],
    media_type: null,
    layout: official.layout,
    is_layout_recognised: null,
    rows: null,
    rejected: null,
    rows_min: rowsMin,
    rows_max: rowsMax,
    newest_date: null,
    known_obstacle: obstaclesOfStreams[key] ?? null,
    changes: [],
    reasons: [],
  }
}

type Fetched = { stream: Stream; snapshot: FetchedSnapshot; report: ProbeReport }

/** Reads and judges the files like a sync, in a transaction that is rolled back. */
async function readFetched(world: World, { stream, snapshot, report }: Fetched): Promise<void> {
  const tally = new RecordTally()
  try {
    await world.database.transaction().execute(async tx => {
      await prepareTransaction(tx, waitMsMax)
      report.reasons.push(...(await judge(tx, { stream, snapshot, report }, tally)))
      report.newest_date = await findNewestDate(tx)
      throw new RolledBack()
    })
  } catch (error) {
    if (!(error instanceof RolledBack)) {
      report.is_layout_recognised = false
      throw refusalFromError(error)
    }
  }
  report.is_layout_recognised = true
  report.rows = tally.rows
  report.rejected = tally.rejected
  report.changes = layoutChanges(stream, [...tally.unknownColumns])
  if (tally.rows < stream.rowsMin)
    report.reasons.push(
      `${counted(tally.rows, 'row')}, fewer than the ${stream.rowsMin} that known files allow (rows_min)`,
    )
  if (stream.rowsMax !== null && tally.rows > stream.rowsMax)
    report.reasons.push(
      `${counted(tally.rows, 'row')}, more than the ${stream.rowsMax} that known files allow (rows_max)`,
    )
}

class RolledBack extends Error {}

/** Returns the guard's reasons. After a change of the parser, only those that the file alone shows. */
async function judge(
  tx: Transaction,
  { stream, snapshot: { files: sources }, report }: Fetched,
  tally: RecordTally,
): Promise<string[]> {
  const last = await readLastSnapshot(tx, stream.key)
  const contentSha256 = await contentDigest(sources)
  const files = await storeRawFiles(tx, sources)
  const { figures, rowsSha256 } = await stageSnapshot(tx, explainRefusals(stream).read(sources), tally)
  if (
    last !== undefined &&
    (last.parserVersion !== stream.parserVersion || last.contentSha256.equals(contentSha256))
  )
    return []
  const incoming = {
    stream,
    takenAt: report.probed_at,
    previousTakenAt: last?.takenAt ?? null,
    now: applyTime(report.probed_at, last),
    isCorrection: false,
    isBackfill: false,
    emitsSignals: false,
    followsGap: false,
    isOtherForm: isOtherForm(tally.form, last),
  }
  const differences = await compareSnapshot(tx, incoming)
  const earlier = last === undefined ? null : await findEarlierSame(tx, last, { contentSha256, rowsSha256 })
  const lastFiles = last === undefined ? null : { files: last.files, sources: storedSources(tx, last.files) }
  const compared = {
    snapshot: incoming,
    figures,
    differences,
    last,
    contentSha256,
    isDemo: true,
    isWhole: !(await someConsistsOfLines(sources)),
  }
  return [
    ...(await reasonsOfBrokenFiles({ stream, files, sources, last: lastFiles })),
    ...(earlier === null ? [] : [servedAgain(earlier)]),
    ...(await checkGuard(tx, compared)),
  ]
}

async function sinceLastProbe({ database }: World, report: ProbeReport): Promise<string[]> {
  const before = await readProbe(database, report.stream)
  const { media_type: type } = report
  if (before?.media_type == null || type === null || before.media_type === type) return []
  return [`media type ${type}, before ${before.media_type}`]
}
