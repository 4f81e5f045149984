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
  return html`<nav class="pager" aria-label="Pages">${before ? html`<a href="${before}" rel="prev">← Previous</a>` : html`<span></span>`}${position && html`<span>${position}</span>`}${after ? html`<a href="${after}" rel="next">Next →</a>` : html`<span></span>`}</nav>`
}
