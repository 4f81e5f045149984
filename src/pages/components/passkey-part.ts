import { assets } from '../assets.ts'
import { type Content, type Html, html } from '../html.ts'
import { hidden } from './field.ts'

/** A form whose `response` the script fills in; without a script it stays hidden. `make` gets that field. */
export function passkeyPart(
  kind: 'register' | 'sign-in',
  offer: string,
  make: (response: Content) => Html,
): Html {
  return html`<div data-passkey="${kind}" data-offer="${offer}" hidden>${make(hidden('response', ''))}
<p class="notice bad" role="alert" hidden></p></div>
<script src="${assets.webauthn.path}" defer></script>
<script src="${assets.passkeys.path}" defer></script>`
}
