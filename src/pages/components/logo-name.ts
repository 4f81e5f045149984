import { type Html, html } from '../html.ts'
import { labelOf } from './words.ts'

const logoSize = 20

/** Shows a name beside its logo, or a monogram where there is none. The name may be a slug. */
export function logoName(kind: 'payment_method' | 'supplier_brand', name: string): Html {
  const path = `/images/${kind}/${encodeURIComponent(name)}`
  const words = kind === 'payment_method' ? labelOf('normalized_name', name) : name
  return html`<span class="logo-name"><img src="${path}" alt="" loading="lazy"
width="${logoSize}" height="${logoSize}">${words}</span>`
}
