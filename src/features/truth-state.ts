import { oneOf } from '../core/schema.ts'

const truthStates = ['confirmed', 'held', 'stale', 'not_covered'] as const
export type TruthState = (typeof truthStates)[number]

export const truthState = oneOf(truthStates, {
  named: 'TruthState',
  description: [
    '`confirmed`: the source was read recently.',
    '`held`: its latest snapshot is quarantined until a person has reviewed it.',
    '`stale`: it has not been confirmed for three times its usual interval.',
    '`not_covered`: it has never been read.',
  ].join(' '),
})

export type SourceTruth = {
  isQuarantined: boolean
  last_confirmed_at: Date | null
  /** The usual interval between publications; null: unknown. */
  cadenceHours: number | null
}

const staleAfterCadences = 3
const hourMs = 3_600_000

/** A quarantined snapshot comes first: it explains why the rest is old. */
export function truthStateOf(source: SourceTruth, now: Date): TruthState {
  if (source.isQuarantined) return 'held'
  if (source.last_confirmed_at === null) return 'not_covered'
  if (source.cadenceHours === null) return 'confirmed'
  const ageMs = now.getTime() - source.last_confirmed_at.getTime()
  return ageMs > staleAfterCadences * source.cadenceHours * hourMs ? 'stale' : 'confirmed'
}
