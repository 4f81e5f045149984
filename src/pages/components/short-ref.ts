import { type Html, html } from '../html.ts'

const shownMax = 12

/** The beginning of an object's ref, the whole one on hover; other short texts as they are. */
export function shortRef(ref: string): Html {
  if (ref.length <= shownMax + 1) return html`<code>${ref}</code>`
  return html`<code title="${ref}">${ref.slice(0, shownMax)}…</code>`
}
