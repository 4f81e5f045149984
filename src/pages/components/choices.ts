import { type Html, html } from '../html.ts'
import type { FormView } from './field.ts'

type Choices = { name: string; label: string; of: readonly (readonly [value: string, text: string])[] }

/** Any number of choices. */
export function choices(view: FormView, { name, label, of }: Choices): Html {
  const sent = view.problem?.sent[name]
  const boxes = of.map(([value, text]) => {
    const attributes = html`name="${name}" value="${value}"${sent === value && html` checked`}`
    return html`<label><input type="checkbox" ${attributes}> ${text}</label>`
  })
  return html`<fieldset class="choices"><legend>${label}</legend>${boxes}</fieldset>`
}
