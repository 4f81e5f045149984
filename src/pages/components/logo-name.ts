import { type Html, html } from '../html.ts'
import { labelOf } from './words.ts'

const logoSize = 20

/** Shows a name beside its logo, or a monogram where there is none. The name may be a slug. */
export const logoName = (kind: 'payment_method' | 'supplier_brand', name: string): Html =>
  html`<span class="logo-name"><img src="/images/${kind}/${encodeURIComponent(name)}" alt="" loading="lazy"
width="${logoSize}" height="${logoSize}">${kind === 'payment_method' ? labelOf('normalized_name', name) : name}</span>`
