import { type Content, type Html, html } from '../html.ts'

export type Tone = 'good' | 'warn' | 'bad' | 'plain'

/** Draws a word with a colour that repeats its meaning. */
export function badge(tone: Tone, text: string): Html {
  return html`<span class="badge ${tone}">${text}</span>`
}

const verdicts: Record<string, { tone: Tone; text: string }> = {
  licensed: { tone: 'good', text: '✓ licensed' },
  blocklisted: { tone: 'bad', text: '✕ blocklisted' },
  mixed: { tone: 'warn', text: '± mixed' },
  no_record: { tone: 'plain', text: '○ no record' },
}

export function verdictBadge(verdict: string): Html {
  const { tone, text } = verdicts[verdict] ?? { tone: 'plain' as const, text: verdict }
  return badge(tone, text)
}

/** Draws an HTTP status. */
export function statusBadge(status: number): Html {
  return badge(status < 400 ? 'good' : status < 500 ? 'warn' : 'bad', String(status))
}

type SourceState = { tone: Tone; text: string; meaning: string }

/** The states of a source or a market, in the words of the coverage page and of the feeds. */
export const sourceStates = {
  live: { tone: 'good', text: '✓ live', meaning: 'fetched automatically and confirmed recently' },
  loaded_from_files: {
    tone: 'good',
    text: '✓ by hand',
    meaning: 'confirmed recently, from files that the operator loads',
  },
  confirmed: { tone: 'good', text: '✓ confirmed', meaning: 'confirmed recently' },
  stale: {
    tone: 'warn',
    text: '! stale',
    meaning: 'a source was not confirmed for three times its usual interval, fails, or was never read',
  },
  loaded_long_ago: {
    tone: 'plain',
    text: '○ by hand',
    meaning: 'from files that the operator loaded, longer ago than three times the usual interval',
  },
  held: { tone: 'warn', text: '! in review', meaning: 'a new snapshot waits for a person to review it' },
  not_covered: { tone: 'plain', text: '○ not read yet', meaning: 'no source of it was ever read here' },
} as const satisfies Record<string, SourceState>

/** An old file that was loaded by hand is no fault. */
export const agedState = <State extends string>(
  state: State,
  isFetched: boolean,
): State | 'loaded_long_ago' => (state === 'stale' && !isFetched ? 'loaded_long_ago' : state)

export function sourceBadge(state: keyof typeof sourceStates): Html {
  const { tone, text } = sourceStates[state]
  return badge(tone, text)
}

const statusTones = { active: 'good', suspended: 'warn', revoked: 'bad', expired: 'bad' } as const

/** Draws the status of a license as its register publishes it, in one spelling. */
export const licenseBadge = (status: string | null): Content =>
  status === null
    ? html`<span class="none">not published</span>`
    : badge(statusTones[status as keyof typeof statusTones] ?? 'plain', status.replaceAll('_', ' '))
