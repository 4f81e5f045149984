import { plural } from '@baize/names'
import { type Html, html } from '../html.ts'

const grouped = new Intl.NumberFormat('en')

export const number = (value: number): string => grouped.format(value)

const shownTime = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
})
const shownDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

/** Writes the day (UTC) of a time. */
export const dayText = (iso: string): string => shownDay.format(new Date(iso))

/** Shows the day of a time, for facts whose hour means nothing to people. */
export const day = (iso: string | null): Html => time(iso?.slice(0, 10) ?? null)

/** Matches a day, alone or as midnight UTC, which is how days of registers and lists are stored. */
const dayPattern = /^(\d{4}-\d{2}-\d{2})(?:T00:00:00(?:\.0+)?Z)?$/

/**
 * Shows a day as a day, and another time with its zone. The script converts times to the reader's zone, with
 * the exact time on hover.
 */
export function time(iso: string | null): Html {
  if (iso === null) return html`<span class="none">never</span>`
  const [, only] = dayPattern.exec(iso) ?? []
  if (only !== undefined) return html`<time datetime="${only}">${dayText(only)}</time>`
  return html`<time datetime="${iso}" title="${iso}">${shownTime.format(new Date(iso))} UTC</time>`
}

export const credits = (amount: number): string => `${number(amount)} ${plural(amount, 'credit')}`

const shownMax = 12

/** Shows the beginning of an object's ref, with the whole ref on hover. Other short texts stay whole. */
export function shortRef(ref: string): Html {
  if (ref.length <= shownMax + 1) return html`<code>${ref}</code>`
  return html`<code title="${ref}">${ref.slice(0, shownMax)}…</code>`
}

/** Returns whether a browser may follow the address. Other schemes do not become links. */
export const isWebAddress = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text)

/** Links to another site, which does not learn from which page the reader comes. */
export const webLink = (address: string, text = address): Html =>
  isWebAddress(address) ? html`<a href="${address}" rel="noreferrer noopener">${text}</a>` : html`${text}`

/** Shows text with a button that copies it. Without a script the text can be selected. */
export function copyable(text: string, name: string): Html {
  return html`<div class="copyable">
<pre><code>${text}</code></pre>
<button type="button" class="plain" data-copy aria-label="Copy: ${name}">Copy</button></div>`
}
