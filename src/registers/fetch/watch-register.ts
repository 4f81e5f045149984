import { StaffError } from '../../core/staff-error.ts'
import type { World } from '../../database/open.ts'
import { checkTarget, OutboundError } from '../../outbound/index.ts'
import type { Stream } from '../stream.ts'
import { clearWatch, readDueWatches, readWatches, type Watch, writeWatch } from './watch-store.ts'

/** No known register publishes more than four files. */
const watchedFilesMax = 16
const everyMinutesMin = 5
const everyMinutesMax = 31 * 24 * 60

type WatchOptions = {
  urls: readonly string[]
  /** Default: the cadence of the stream. */
  everyMinutes?: number | undefined
  allowedHosts: readonly string[]
}

/** Fetches a stream regularly. Throws a StaffError for an unusable address or interval. */
export async function watchRegister(world: World, stream: Stream, options: WatchOptions): Promise<Watch> {
  const urls = checkUrls(options.urls, options.allowedHosts)
  const everyMinutes = options.everyMinutes ?? stream.cadence.hours * 60
  if (!Number.isInteger(everyMinutes) || everyMinutes < everyMinutesMin || everyMinutes > everyMinutesMax)
    throw new StaffError(
      `The interval must be a whole number of minutes from ${everyMinutesMin} to ${everyMinutesMax}.`,
    )
  await writeWatch(world.database, stream, urls, everyMinutes)
  const watch = await findWatch(world, stream.key)
  if (watch === undefined) throw new StaffError(`${stream.key} was unwatched by another command. Try again.`)
  return watch
}

/** Returns whether the stream was watched. Its data stays. */
export function unwatchRegister(world: World, stream: Stream): Promise<boolean> {
  return clearWatch(world.database, stream.key)
}

export function listWatches(world: World): Promise<Watch[]> {
  return readWatches(world.database)
}

export async function findWatch(world: World, stream: string): Promise<Watch | undefined> {
  return (await readWatches(world.database)).find(watch => watch.stream === stream)
}

export function listDueWatches(world: World, now: Date): Promise<Watch[]> {
  return readDueWatches(world.database, now)
}

function checkUrls(texts: readonly string[], allowedHosts: readonly string[]): string[] {
  if (texts.length === 0 || texts.length > watchedFilesMax)
    throw new StaffError(`A snapshot must have 1 to ${watchedFilesMax} addresses.`)
  const urls = texts.map(text => {
    try {
      return checkTarget(text.trim(), allowedHosts).url.href
    } catch (error) {
      if (error instanceof OutboundError) throw new StaffError(`${text}: ${error.message}.`)
      throw error
    }
  })
  if (new Set(urls).size < urls.length) throw new StaffError('The addresses must be distinct.')
  return urls
}
