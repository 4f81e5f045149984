import { type Html, html } from '../html.ts'

/** How far long work has come. `at`: the index of the step that goes on; the last one: all is done. */
export function steps(names: readonly string[], at: number): Html {
  const items = names.map((name, index) => {
    const isDone = index < at || (index === names.length - 1 && index === at)
    const current = index === at && html` aria-current="step"`
    return html`<li${isDone && html` class="done"`}${current}>${isDone && '✓ '}${name}</li>`
  })
  return html`<ol class="steps">${items}</ol>`
}
