import type { Regime } from '../../features/regimes/index.ts'
import { type Html, html } from '../html.ts'
import { badge, type Tone } from './badge.ts'
import { webLink } from './text.ts'

const tones: Partial<Record<Regime['state'], Tone>> = { prohibited: 'bad', suspended: 'bad', open: 'good' }

/** Draws what a market allows, since when, and where that is published. */
export function regimeLine(
  regime: Pick<Regime, 'vertical' | 'state' | 'from' | 'source_url'> & { to?: string | null },
): Html {
  const { vertical, state, from, to = null, source_url: source } = regime
  const words = `${state.replaceAll('_', ' ')}${vertical === 'all' ? '' : ` (${vertical})`}`
  return html`${badge(tones[state] ?? 'plain', words)} <span class="hint">from ${from}${
    to !== null && ` to ${to}`
  }, ${webLink(source, 'source')}</span>`
}
