const charactersMax = 254
/** As browsers check it. ASCII only, so that JavaScript and PostgreSQL agree on its lower case. */
const shape = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/

/** An e-mail address in lower case; null: the text is none. `owner@localhost` is one. */
export function mailAddressOf(text: string): string | null {
  const address = text.trim().toLowerCase()
  return address.length <= charactersMax && shape.test(address) ? address : null
}
