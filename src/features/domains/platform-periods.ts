export type PlatformReading = { platform: string; reviewed: boolean; seen_at: Date }
export type PlatformPeriod = { platform: string; from: string; to: string | null; observations: number }

/**
 * Returns the periods of reviewed platforms, the newest first (§2.9). An unreviewed platform ends a period.
 */
export function platformPeriods(readings: readonly PlatformReading[]): PlatformPeriod[] {
  const ordered = [...readings].sort((a, b) => a.seen_at.getTime() - b.seen_at.getTime())
  const periods: (PlatformPeriod & { reviewed: boolean })[] = []
  for (const reading of ordered) {
    const seenAt = reading.seen_at.toISOString()
    const last = periods.at(-1)
    if (last !== undefined && last.platform === reading.platform) {
      last.observations += 1
      continue
    }
    if (last !== undefined) last.to = seenAt
    const { platform, reviewed } = reading
    periods.push({ platform, from: seenAt, to: null, observations: 1, reviewed })
  }
  return periods
    .filter(period => period.reviewed)
    .reverse()
    .map(({ platform, from, to, observations }) => ({ platform, from, to, observations }))
}
