import { oneOf } from '../core/schema.ts'

/** The fields that a register or blocklist can publish, by their names in answers. */
export const publishedFieldNames = [
  'licenses',
  'holders',
  'domains',
  'statuses',
  'revocations',
  'dates',
  'roles',
] as const
export type PublishedField = (typeof publishedFieldNames)[number]

export const streamKinds = ['register', 'blocklist', 'register_and_blocklist'] as const
export type StreamKind = (typeof streamKinds)[number]

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
  is_quarantined: boolean
  last_confirmed_at: Date | null
  /** The usual interval between publications in hours; null if unknown. */
  cadence_hours: number | null
}

const staleAfterCadences = 3
const hourMs = 3_600_000

/** Returns the state of a source's data. A quarantined snapshot outranks age, because it explains the age. */
export function truthStateOf(source: SourceTruth, now: Date): TruthState {
  if (source.is_quarantined) return 'held'
  if (source.last_confirmed_at === null) return 'not_covered'
  if (source.cadence_hours === null) return 'confirmed'
  const ageMs = now.getTime() - source.last_confirmed_at.getTime()
  return ageMs > staleAfterCadences * source.cadence_hours * hourMs ? 'stale' : 'confirmed'
}
