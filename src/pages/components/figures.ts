import { type Content, type Html, html } from '../html.ts'

type Figure = { name: string; value: Content; unit?: string; hint?: Content }

function figure({ name, value, unit, hint }: Figure): Html {
  return html`<div><dt>${name}${unit && html` <small>(${unit})</small>`}</dt>
<dd>${value}</dd>${hint && html`<dd class="hint">${hint}</dd>`}</div>`
}

/** The few numbers that a page is about. */
export function figures(of: readonly Figure[]): Html {
  return html`<dl class="figures">${of.map(figure)}</dl>`
}
