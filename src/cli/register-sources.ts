import { counted } from '@baize/names'
import { type Out, onOneLine, printTable } from '@baize/terminal'
import type { Command } from 'commander'
import { readSettings } from '../config/settings.ts'
import { StaffError } from '../core/staff-error.ts'
import type { World } from '../database/open.ts'
import { asRun, openPageRenderer } from '../instance/open-page-renderer.ts'
import {
  fetchRegister,
  findKnownStream,
  knownStreams,
  listWatches,
  type ProbeReport,
  probeAll,
  type Stream,
  unwatchRegister,
  watchRegister,
} from '../registers/index.ts'
import { repeated } from './read-argument.ts'
import { recordCommand } from './record-command.ts'
import { printReport } from './register-report.ts'
import { withSession } from './session.ts'

/** These commands fetch registers from the addresses where they are published. */

type WatchOptions = { url?: string[]; everyMinutes?: number; official?: boolean; all?: boolean }

export function registerSourceCommands(register: Command, out: Out): void {
  register
    .command('probe [stream...]')
    .description('Look at the official addresses and report what is found there. Applies nothing.')
    .option('--all', 'all streams')
    .action(async (keys: string[], { all = false }: { all?: boolean }) => {
      const reports = await probe(keys, all)
      const failing = reports.filter(report => !report.is_well)
      const lines = [
        printTable(reports.map(shortProbe)),
        '',
        ...failing.map(({ stream, reasons }) => `${stream}: ${reasons.map(onOneLine).join('; ')}`),
        `${reports.length - failing.length} of ${reports.length} probe well.`,
      ]
      out.print({ json: reports, text: lines.join('\n'), failed: failing.length > 0 })
    })

  register
    .command('fetch <stream>')
    .description('Fetch one snapshot and apply its changes.')
    .option('--url <url>', 'an address of the snapshot; repeatable (default: the official files)', repeated)
    .action(async (key: string, { url: urls }: { url?: string[] }) => {
      const report = await withSession(async ({ world }) => {
        const stream = await requireStream(world, key)
        // An address may contain a secret.
        await recordCommand(world, 'register.fetch_started', key, {
          hosts: urls?.map(url => URL.parse(url)?.host),
        })
        const settings = readSettings()
        await using renderer = openPageRenderer(settings)
        return await fetchRegister(world, stream, {
          ...(urls === undefined ? {} : { urls }),
          now: new Date(),
          network: settings.network,
          render: asRun(renderer),
        })
      })
      printReport(out, report)
    })

  register
    .command('watch [stream]')
    .description('Fetch a stream regularly. Streams that are not watched are never fetched.')
    .option('--url <url>', 'an address of the snapshot; repeatable (default: the official files)', repeated)
    .option('--every-minutes <minutes>', 'the interval (default: a night; of --url the cadence)', Number)
    .option('--official', 'with --all: watch the official files of every stream that probes well')
    .option('--all', 'with --official: all streams')
    .action(async (key: string | undefined, options: WatchOptions) => {
      if (options.all || options.official) return watchOfficial(out, key, options)
      if (key === undefined) throw new StaffError('Name a stream, or use --official --all.')
      const watch = await withSession(async ({ world }) =>
        watchOne(await requireStream(world, key), options, world),
      )
      out.print({ json: watch, text: printTable([watch]) })
    })

  register
    .command('unwatch <stream>')
    .description('Stop fetching a stream regularly.')
    .action(async (key: string) => {
      const wasWatched = await withSession(async ({ world }) => {
        const wasWatched = await unwatchRegister(world, await requireStream(world, key))
        if (wasWatched) await recordCommand(world, 'register.unwatched', key)
        return wasWatched
      })
      out.print({
        json: { stream: key, was_watched: wasWatched },
        text: wasWatched ? `${key} is no longer watched.` : `${key} was not watched.`,
      })
    })
}

async function watchOne(stream: Stream, { url: urls, everyMinutes }: WatchOptions, world: World) {
  const watch = await watchRegister(world, stream, {
    ...(urls === undefined ? {} : { urls }),
    ...(everyMinutes === undefined ? {} : { everyMinutes }),
    allowedHosts: readSettings().network.allowedHosts,
  })
  await recordCommand(world, 'register.watched', stream.key, { every_minutes: watch.everyMinutes })
  return watch
}

function probe(keys: readonly string[], all: boolean): Promise<ProbeReport[]> {
  if (all === keys.length > 0) throw new StaffError('Name the streams, or use --all.')
  return withSession(async ({ world }) => {
    const streams = all
      ? await knownStreams(world)
      : await Promise.all(keys.map(key => requireStream(world, key)))
    return await probeAllHere(world, streams)
  })
}

async function probeAllHere(world: World, streams: readonly Stream[]): Promise<ProbeReport[]> {
  const settings = readSettings()
  await using renderer = openPageRenderer(settings)
  const options = { network: settings.network, render: asRun(renderer), now: () => new Date() }
  return await probeAll(world, streams, options)
}

/**
 * Watches the streams that probe well. With `--all` it leaves streams unchanged that are watched at an
 * operator's address.
 */
async function watchOfficial(out: Out, key: string | undefined, options: WatchOptions): Promise<void> {
  if (options.url !== undefined) throw new StaffError('With --official, omit --url.')
  if ((key === undefined) !== (options.all === true) || !options.official)
    throw new StaffError('Use --official --all, or --official with one stream.')
  const result = await withSession(async ({ world }) => {
    const ownAddresses = new Set(
      (await listWatches(world)).filter(watch => !watch.isOfficial).map(watch => watch.stream),
    )
    const streams = key === undefined ? await knownStreams(world) : [await requireStream(world, key)]
    const reports = await probeAllHere(world, streams)
    const watched: string[] = []
    for (const stream of streams) {
      const isWell = reports.some(report => report.stream === stream.key && report.is_well)
      if (!isWell || (key === undefined && ownAddresses.has(stream.key))) continue
      await watchOne(stream, options, world)
      watched.push(stream.key)
    }
    return { watched, not_watched: reports.filter(report => !report.is_well) }
  })
  const lines = [
    counted(result.watched.length, 'stream is', 'streams are') +
      ` watched${result.watched.length === 0 ? '.' : ':'}`,
    ...result.watched.map(stream => `  ${stream}`),
    ...(result.not_watched.length === 0 ? [] : ['Not watched:']),
    ...result.not_watched.map(({ stream, reasons }) => `  ${stream}: ${reasons.map(onOneLine).join('; ')}`),
  ]
  out.print({ json: result, text: lines.join('\n'), failed: result.not_watched.length > 0 })
}

function shortProbe(report: ProbeReport) {
  return {
    stream: report.stream,
    well: report.is_well ? 'yes' : 'no',
    reachable: report.is_reachable ? 'yes' : 'no',
    media_type: report.media_type,
    layout:
      report.is_layout_recognised === null
        ? null
        : report.is_layout_recognised
          ? report.layout
          : 'not recognised',
    rows: report.rows,
    newest_date: report.newest_date,
    changes: report.changes.join('; ') || null,
  }
}

export async function requireStream(world: World, key: string): Promise<Stream> {
  const stream = await findKnownStream(world, key)
  if (stream === undefined) throw new StaffError(`Unknown stream "${key}". "register list" lists all.`)
  return stream
}
