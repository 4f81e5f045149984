import { plural } from '@baize/names'
import { type Content, type Html, html } from '../html.ts'
import { copyable, number } from './text.ts'

/** Limits the JSON of a page, because more would take seconds on a phone. */
const jsonCharactersMax = 200_000

type Answered = { response: unknown; curl: string; credits_charged: number; replayed: boolean }

/** Shows what a look-up cost, and its answer for people, as JSON and as a command. */
export function answerTable(
  { response, curl, credits_charged: credits, replayed }: Answered,
  content: Content,
): Html {
  const cost = replayed
    ? 'Shown again, free of charge.'
    : credits === 0
      ? 'This was free.'
      : `${number(credits)} ${plural(credits, 'credit was', 'credits were')} charged.`
  return html`<section class="answer" aria-label="Answer">
<p class="cost">${cost}</p>
${content}
<details><summary>The answer as JSON</summary>${asJson(response)}</details>
<details><summary>The same request with curl</summary>${copyable(curl, 'curl command')}</details>
</section>`
}

function asJson(response: unknown): Html {
  const json = JSON.stringify(response, null, 2)
  if (json.length <= jsonCharactersMax) return copyable(json, 'JSON')
  return html`<p>It has ${number(json.length)} characters, too many for a page. The command below
answers it.</p>`
}
