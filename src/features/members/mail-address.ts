const charactersMax = 254
/** Matches addresses as browsers do. It is ASCII, so that JavaScript and PostgreSQL agree on lower case. */
const shape = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/

/** Returns an e-mail address in lower case, or null for other text. `owner@localhost` is an address. */
export function mailAddressOf(text: string): string | null {
  const address = text.trim().toLowerCase()
  return address.length <= charactersMax && shape.test(address) ? address : null
}
