import { type Html, html } from '../html.ts'

/** Text with a button that copies it; without a script the text can be selected. */
export function copyable(text: string, name: string): Html {
  return html`<div class="copyable">
<pre><code>${text}</code></pre>
<button type="button" class="plain" data-copy aria-label="Copy: ${name}">Copy</button></div>`
}
