import { StaffError } from '../../core/staff-error.ts'
import type { World } from '../../database/open.ts'
import { checkTarget, OutboundError } from '../../outbound/index.ts'
import type { Stream } from '../stream.ts'
import { clearWatch, readDueWatches, readWatches, type Watch, writeWatch } from './watch-store.ts'

/** Four files are the most that a register was ever seen to publish. */
const watchedFilesMax = 16
const everyMinutesMin = 5
const everyMinutesMax = 31 * 24 * 60

export type WatchOptions = {
  /** The addresses of all files of a snapshot. */
  urls: readonly string[]
  /** Absent: as often as the source says something new. */
  everyMinutes?: number | undefined
  allowedHosts: readonly string[]
}

/**
 * Has a stream fetched by itself from now on (`baize register watch`). Nothing is fetched before somebody asks for it
 * so: the addresses are theirs. Fails with a StaffError for what cannot be fetched.
 */
export async function watchRegister(world: World, stream: Stream, options: WatchOptions): Promise<Watch> {
  const urls = checkUrls(options.urls, options.allowedHosts)
  const everyMinutes = options.everyMinutes ?? stream.cadence.hours * 60
  if (!Number.isInteger(everyMinutes) || everyMinutes < everyMinutesMin || everyMinutes > everyMinutesMax)
    throw new StaffError(
      `A source is asked every ${everyMinutesMin} to ${everyMinutesMax} minutes, in whole ones.`,
    )
  await writeWatch(world.database, stream, urls, everyMinutes)
  const watch = await findWatch(world, stream.key)
  if (watch === undefined) throw new StaffError(`${stream.key} was unwatched at the same moment; try again.`)
  return watch
}

/** Leaves a stream alone again; false: it was not watched. What is held of it stays. */
export function unwatchRegister(world: World, stream: Stream): Promise<boolean> {
  return clearWatch(world.database, stream.key)
}

/** Every stream that is fetched by itself, with how that went. */
export function listWatches(world: World): Promise<Watch[]> {
  return readWatches(world.database)
}

export async function findWatch(world: World, stream: string): Promise<Watch | undefined> {
  return (await readWatches(world.database)).find(watch => watch.stream === stream)
}

/** Those whose time has come, the one that has waited longest first. */
export function listDueWatches(world: World, now: Date): Promise<Watch[]> {
  return readDueWatches(world.database, now)
}

/** As a browser would write them, each once. */
function checkUrls(texts: readonly string[], allowedHosts: readonly string[]): string[] {
  if (texts.length === 0 || texts.length > watchedFilesMax)
    throw new StaffError(`A snapshot is fetched from 1 to ${watchedFilesMax} addresses.`)
  const urls = texts.map(text => {
    try {
      return checkTarget(text.trim(), allowedHosts).url.href
    } catch (error) {
      if (error instanceof OutboundError) throw new StaffError(`${text}: ${error.message}.`)
      throw error
    }
  })
  if (new Set(urls).size < urls.length) throw new StaffError('The same address is given twice.')
  return urls
}
