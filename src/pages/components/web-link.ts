import { type Html, html } from '../html.ts'

/** An address that a browser may follow: no other scheme becomes a link. */
export const isWebAddress = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text)

/** Leads to another site, which does not see where the reader comes from. */
export const webLink = (address: string, text = address): Html =>
  isWebAddress(address) ? html`<a href="${address}" rel="noreferrer noopener">${text}</a>` : html`${text}`
