/** The last days up to today, both included, in UTC. */
export function recentDays(now: Date, days: number): { from: string; until: string } {
  const until = now.toISOString().slice(0, 10)
  const first = new Date(`${until}T00:00:00Z`)
  first.setUTCDate(first.getUTCDate() - (days - 1))
  return { from: first.toISOString().slice(0, 10), until }
}
