import { nullable, oneOf } from '../../core/schema.ts'

export const absenceReason = nullable(oneOf(['not_cached', 'no_match']), {
  description:
    '`not_cached`: nobody of the Company is on file. `no_match`: people are on file, and nobody of them is meant.',
})

/** Whether there is anybody to deliver, of those who are on file of the Company; if not, why (§4.7). */
export function availability(selected: number, onFile: number) {
  if (selected > 0) return { available: true, reason: null }
  return { available: false, reason: onFile > 0 ? ('no_match' as const) : ('not_cached' as const) }
}
