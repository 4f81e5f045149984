import type { Static } from '../../core/operation.ts'
import { nullable, oneOf } from '../../core/schema.ts'
import type { FirmographicsReason } from '../firmographics/index.ts'

export const absenceReason = nullable(
  oneOf([
    'not_cached',
    'no_match',
    'source_temporarily_unavailable',
    'source_unavailable',
    'response_too_large',
  ]),
  {
    description:
      '`not_cached`: no people of the Company are on file. `no_match`: none of those on file match. ' +
      'Others: the reason of `refresh`, if nobody on file is young enough.',
  },
)

type AbsenceReason = Static<typeof absenceReason>

/** Returns whether people are available, and the reason if not (§4.7). */
export function availability(selected: number, onFile: number) {
  if (selected > 0) return { available: true, reason: null }
  return { available: false, reason: onFile > 0 ? ('no_match' as const) : ('not_cached' as const) }
}

/**
 * Returns the availability after a refresh without new people. `unrefreshed` is its reason, or null if no
 * refresh was due.
 */
export function availabilityAfter(
  found: ReturnType<typeof availability>,
  unrefreshed: FirmographicsReason | null,
): { available: boolean; reason: AbsenceReason } {
  if (found.available || unrefreshed === null || unrefreshed === 'not_resolved') return found
  return { available: false, reason: unrefreshed }
}
