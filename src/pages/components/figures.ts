import { type Content, type Html, html } from '../html.ts'

type Figure = { name: string; value: Content; unit?: string; hint?: Content }

/** The few numbers that a page is about. */
export function figures(of: readonly Figure[]): Html {
  return html`<dl class="figures">${of.map(
    ({ name, value, unit, hint }) =>
      html`<div><dt>${name}</dt><dd>${value}${unit && html` <small>${unit}</small>`}${hint && html`<p class="hint">${hint}</p>`}</dd></div>`,
  )}</dl>`
}
