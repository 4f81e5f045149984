const charactersMax = 254
/** ASCII only, so that JavaScript and PostgreSQL agree on its lower case. */
const shape = /^[!-?A-~]+@[!-?A-~]+$/

/** An e-mail address in lower case; null: the text is none. `owner@localhost` is one. */
export function mailAddressOf(text: string): string | null {
  const address = text.trim().toLowerCase()
  return address.length <= charactersMax && shape.test(address) ? address : null
}
