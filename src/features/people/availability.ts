import { nullable, oneOf } from '../../core/schema.ts'

export const absenceReason = nullable(oneOf(['not_cached', 'no_match']), {
  description: '`not_cached`: no people of the Company are on file. `no_match`: none of those on file match.',
})

/** §4.7. */
export function availability(selected: number, onFile: number) {
  if (selected > 0) return { available: true, reason: null }
  return { available: false, reason: onFile > 0 ? ('no_match' as const) : ('not_cached' as const) }
}
