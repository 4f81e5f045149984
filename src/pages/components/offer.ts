import type { Bought } from '../../features/look-ups/index.ts'
import { type Content, type Html, html } from '../html.ts'
import type { View } from '../page.ts'
import { facts } from './facts.ts'
import { ceilingOf, form, hidden, viewOfForm } from './form.ts'
import { copyable, credits, number, time } from './text.ts'

/** Limits the JSON of a page, whose first view has at most 60 KB. */
const jsonCharactersMax = 20_000

type Offer = {
  action: string
  /** What the button does, such as `Show the verdict`. */
  what: string
  credits: number
  nonce: string
  /** Whether the price is a limit, and the answer may cost less. */
  isLimit?: boolean
  tone?: 'plain' | undefined
  /** Names the form, where the button alone is not clear. */
  name?: string
}

/** Draws a button that buys an answer. Its price is the most that can be charged. */
export function offerForm(view: View, offer: Offer, ...fields: Content[]): Html {
  const its = viewOfForm(view, offer.action)
  const price = ceilingOf(its, offer.credits)
  const isLimit = offer.isLimit || price !== offer.credits
  const { action, tone, name } = offer
  const submit = `${offer.what} for ${isLimit ? 'at most ' : ''}${credits(price)}`
  return form(
    { action, submit, isRow: true, ...(tone && { tone }), ...(name && { name }) },
    fields,
    hidden('max_credits', price),
    hidden('nonce', offer.nonce),
  )
}

const shownDays = 7

/** Says when the account bought what the page shows, for how much, and until when it is shown again. */
export function boughtNote({ bought_at: at, credits_charged: paid }: Bought, again: Content): Html {
  const until = new Date(Date.parse(at) + shownDays * 86_400_000).toISOString().slice(0, 10)
  return html`<div class="bought"><p>Bought ${time(at)} for ${credits(paid)}. Shown again free until
${time(until)}.</p>${again}</div>`
}

/** Draws a part of an older answer, for which a newer one on the page has none. */
export const olderPart = (bought: Bought, part: Record<string, unknown>): Html =>
  html`<section class="card" aria-label="Bought before">${boughtNote(bought, facts(part))}</section>`

type Sale = {
  action: string
  nonce: string
  bought: Bought | null
  title: string
  /** Says what is sold. */
  text: Content
  /** The first is the main one: the others add something to it. */
  offers: readonly (Pick<Offer, 'what' | 'credits'> & { adds?: string })[]
}

/** Draws what a page sells: buttons with their prices, and when it was bought already. */
export function saleOf(view: View, { action, nonce, bought, title, text, offers }: Sale): Html {
  const forms = offers.map(({ what, credits: price, adds }, index) =>
    offerForm(
      view,
      {
        action,
        what: bought !== null && index === 0 ? "Get today's" : what,
        credits: price,
        nonce,
        isLimit: adds !== undefined,
        tone: bought === null && index === 0 ? undefined : 'plain',
      },
      adds !== undefined && hidden(adds, 'true'),
    ),
  )
  const buttons = html`<div class="actions">${forms}</div>`
  if (bought !== null) return boughtNote(bought, buttons)
  return html`<section class="card offer" aria-labelledby="offer"><h2 id="offer">${title}</h2>
<p>${text}</p>${buttons}</section>`
}

type Developers = {
  refs?: Readonly<Record<string, string>>
  /** The path and the parameters of the same request. */
  path: string
  query?: Readonly<Record<string, string | readonly string[]>>
  response?: unknown
}

/** Shows what a program needs: refs, the request and its answer. */
export function forDevelopers(
  { baseUrl }: View,
  { refs = {}, path, query = {}, response }: Developers,
): Html {
  const shown = Object.entries(refs).map(
    ([name, ref]) => html`<div><dt>${name}</dt><dd><code>${ref}</code></dd></div>`,
  )
  return html`<details class="card developers"><summary>For developers</summary>
${shown.length > 0 && html`<dl class="facts">${shown}</dl>`}
${copyable(curlOf(`${baseUrl}${path}`, query), 'curl command')}
${response !== undefined && html`<details><summary>The answer as JSON</summary>${asJson(response)}</details>`}
</details>`
}

function asJson(response: unknown): Html {
  const json = JSON.stringify(response, null, 2)
  if (json.length <= jsonCharactersMax) return copyable(json, 'JSON')
  return html`<p>It has ${number(json.length)} characters, too many for a page. The command answers it.</p>`
}

/** Writes a curl command. A single quote is percent-encoded, because it would end the shell's text. */
function curlOf(url: string, query: NonNullable<Developers['query']>): string {
  const parameters = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => [value].flat().map(each => [name, String(each)])),
  )
  const whole = parameters.size === 0 ? url : `${url}?${parameters}`.replaceAll('%5B%5D', '[]')
  return `curl -g -H 'X-API-Key: YOUR_KEY' '${whole.replaceAll("'", '%27')}'`
}
