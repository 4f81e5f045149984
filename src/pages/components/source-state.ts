import type { Html } from '../html.ts'
import { badge, type Tone } from './badge.ts'

type SourceState = { tone: Tone; text: string; meaning: string }

/** Of a source or a market: the words of the coverage page and of the feeds. */
export const sourceStates = {
  live: { tone: 'good', text: '✓ live', meaning: 'fetched automatically and confirmed recently' },
  loaded_from_files: {
    tone: 'good',
    text: '✓ from files',
    meaning: 'confirmed recently, from files that the operator loads',
  },
  confirmed: { tone: 'good', text: '✓ confirmed', meaning: 'confirmed recently' },
  stale: {
    tone: 'warn',
    text: '! stale',
    meaning: 'a source was not confirmed for three times its usual interval, fails, or was never read',
  },
  held: { tone: 'warn', text: '! in review', meaning: 'a new snapshot waits for a person to review it' },
  not_covered: { tone: 'plain', text: '○ not read yet', meaning: 'no source of it was ever read here' },
} as const satisfies Record<string, SourceState>

export function sourceBadge(state: keyof typeof sourceStates): Html {
  const { tone, text } = sourceStates[state]
  return badge(tone, text)
}
