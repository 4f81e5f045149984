import { type Html, html } from '../html.ts'

export type Tone = 'good' | 'warn' | 'bad' | 'plain'

/** Words say what it means; the colour only repeats it. */
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

/** Of HTTP. */
export function statusBadge(status: number): Html {
  return badge(status < 400 ? 'good' : status < 500 ? 'warn' : 'bad', String(status))
}
