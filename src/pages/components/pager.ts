import { type Html, html } from '../html.ts'

/** Links to the pages before and after; null: there is none. */
export function pager({
  before,
  after,
  position,
}: {
  before: string | null
  after: string | null
  position?: string
}): Html {
  if (before === null && after === null) return html``
  const previous = before === null ? html`<span></span>` : html`<a href="${before}" rel="prev">← Previous</a>`
  const next = after === null ? html`<span></span>` : html`<a href="${after}" rel="next">Next →</a>`
  return html`<nav class="pager" aria-label="Pages">
${previous}${position && html`<span>${position}</span>`}${next}</nav>`
}
