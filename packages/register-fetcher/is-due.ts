import { createHash } from 'node:crypto'

/** A stream that is fetched regularly. */
export type Watch = {
  stream: string
  /** The official addresses if `isOfficial`. Each fetch finds the files from them. */
  urls: string[]
  isOfficial: boolean
  everyMinutes: number
  watchedAt: Date | null
  failures: number
}

/** Official files with this interval are fetched each night, each at its fixed time. */
export const nightlyMinutes = 24 * 60
/** The night begins at midnight UTC. */
const nightMinutes = 4 * 60
/** The number of attempts in a night (see the task `fetch_register`). */
const attemptsPerNight = 6
const nightsMax = 7

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/**
 * Returns whether a watch is due. Each stream has a minute of the night that depends on the installation
 * (`salt`), which spreads requests to a regulator. A stream that fails each night is tried less often, at
 * least once a week.
 */
export function isDue(watch: Watch, now: Date, salt: Buffer): boolean {
  const { stream, watchedAt, everyMinutes, isOfficial, failures } = watch
  if (watchedAt === null) return true
  if (!isOfficial || everyMinutes !== nightlyMinutes)
    return watchedAt.getTime() + everyMinutes * minuteMs <= now.getTime()
  const nights = Math.min(nightsMax, 2 ** Math.floor(failures / attemptsPerNight))
  return watchedAt.getTime() < lastTurn(stream, now, salt) - (nights - 1) * dayMs
}

/** Returns the last turn of this stream, tonight or in the night before. */
export function lastTurn(stream: string, now: Date, salt: Buffer): number {
  const digest = createHash('sha256').update(salt).update(stream).digest()
  const midnight = Math.floor(now.getTime() / dayMs) * dayMs
  const turn = midnight + (digest.readUInt32BE(0) % nightMinutes) * minuteMs
  return turn <= now.getTime() ? turn : turn - dayMs
}
