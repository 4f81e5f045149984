import { type Html, html } from '../html.ts'

const grouped = new Intl.NumberFormat('en')

export const number = (value: number): string => grouped.format(value)

const shown = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

/** The script shows it in the reader's zone, with the exact time on hover. */
export function time(iso: string | null): Html {
  if (iso === null) return html`<span class="none">never</span>`
  return html`<time datetime="${iso}" title="${iso}">${shown.format(new Date(iso))} UTC</time>`
}

export const credits = (amount: number): string => `${number(amount)} ${amount === 1 ? 'credit' : 'credits'}`
