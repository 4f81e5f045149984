import { checkTarget, OutboundError } from '@baize/outbound'
import type { Watch } from '@baize/register-fetcher'
import { isDue, nightlyMinutes } from '@baize/register-fetcher'
import type { Stream } from '@baize/registers'
import { StaffError } from '../../core/staff-error.ts'
import type { World } from '../../database/open.ts'
import { stopNightlyProbes } from './probes-store.ts'
import { clearWatch, readWatches, writeWatch } from './watch-store.ts'

/** No known register publishes more than four files. */
const watchedFilesMax = 16
const everyMinutesMin = 5

const everyMinutesMax = 31 * 24 * 60

type WatchOptions = {
  /** The addresses to watch; by default the official files, which are found at each fetch. */
  urls?: readonly string[] | undefined
  /** The interval; by default the cadence of the stream, or a night for official files. */
  everyMinutes?: number | undefined
  allowedHosts: readonly string[]
}

/** Fetches a stream regularly. Throws a StaffError for an unusable address or interval. */
export async function watchRegister(world: World, stream: Stream, options: WatchOptions): Promise<Watch> {
  const isOfficial = options.urls === undefined
  const urls = checkUrls(options.urls ?? officialUrls(stream), options.allowedHosts)
  for (const url of options.urls === undefined ? directUrls(stream) : urls) checkIsFile(url, stream)
  const everyMinutes = options.everyMinutes ?? (isOfficial ? nightlyMinutes : stream.cadence.hours * 60)
  if (!Number.isInteger(everyMinutes) || everyMinutes < everyMinutesMin || everyMinutes > everyMinutesMax)
    throw new StaffError(
      `The interval must be a whole number of minutes from ${everyMinutesMin} to ${everyMinutesMax}.`,
    )
  await writeWatch(world.database, stream, { urls, everyMinutes, isOfficial })
  const watch = await findWatch(world, stream.key)
  if (watch === undefined) throw new StaffError(`${stream.key} was unwatched by another command. Try again.`)
  return watch
}

/** Returns whether the stream was watched. Its data stays; it is not probed at night either. */
export async function unwatchRegister(world: World, stream: Stream): Promise<boolean> {
  await stopNightlyProbes(world.database, stream.key)
  return clearWatch(world.database, stream.key)
}

export function listWatches(world: World): Promise<Watch[]> {
  return readWatches(world.database)
}

export async function findWatch(world: World, stream: string): Promise<Watch | undefined> {
  return (await readWatches(world.database)).find(watch => watch.stream === stream)
}

/** Lists the watches that are due, the longest overdue first. */
export async function listDueWatches(world: World, now: Date): Promise<Watch[]> {
  const salt = await world.cursorSecret()
  const due = (await readWatches(world.database)).filter(watch => isDue(watch, now, salt))
  return due.toSorted((one, other) => (one.watchedAt?.getTime() ?? 0) - (other.watchedAt?.getTime() ?? 0))
}

/** Throws a StaffError if the address of a file is not known. */
function officialUrls({ key, official, officialUrl }: Stream): string[] {
  if (official.files.length === 0)
    throw new StaffError(
      `The address of the file of ${key} is not known: ${officialUrl} is a page for people. ` +
        'Find the file on it, and give its address with --url.',
    )
  return [...new Set(official.files.map(file => file.url))]
}

const directUrls = ({ official }: Stream) =>
  official.files.filter(file => file.resolve.by === 'direct').map(file => file.url)

/** Refuses a home page, which is never the file of a register, unless the register is read from pages. */
function checkIsFile(address: string, { format }: Stream): void {
  const { href, pathname, search } = new URL(address)
  if (pathname !== '/' || search !== '' || /\bhtml\b/i.test(format)) return
  throw new StaffError(
    `${href} is a home page, not a file. Give the address of the file, or none for the official one.`,
  )
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
