import { readDataFile } from '../read-data-file.ts'

export const regimeVerticals = ['all', 'betting', 'casino', 'poker', 'lottery'] as const
export const regimeStates = [
  'open',
  'licensed_only',
  'monopoly',
  'prohibited',
  'suspended',
  'not_regulated',
  'opens',
] as const

/** What the law of a market allows. Days are `YYYY-MM-DD` in UTC; `to` is the last one, or null. */
export type RegimeEntry = {
  market: string
  vertical: (typeof regimeVerticals)[number]
  state: (typeof regimeStates)[number]
  from: string
  to: string | null
  source_url: string
  note: string | null
}

const written = readDataFile<Omit<RegimeEntry, 'to' | 'note'>[]>(
  new URL('shipped-regimes.yaml', import.meta.url),
)

/** The regimes of markets whose day and source are known. */
export const shippedRegimes: readonly RegimeEntry[] = written.map(each => ({ to: null, note: null, ...each }))
