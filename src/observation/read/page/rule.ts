/**
 * A rule of `src/observation/rules/<file>.yaml`: `key: {value, any | all}`. Each condition matches parsed
 * fields of one page. Texts are compared as whole words, folded (case, accents, punctuation).
 */
export type Rule = {
  /** `payment-methods/visa`. */
  rule: string
  /** What it yields; its shape is the file's. */
  value: Record<string, unknown>
  condition: Condition
}

/** One member only. Lists are alternatives. */
export type Condition =
  | { all: Condition[] }
  | { any: Condition[] }
  | { not: Condition }
  /** A loaded or declared host, or a subdomain of it; with a path: that it begins with. `pay.example/js`. */
  | { host: string[] }
  /** The host of a link's target, or a subdomain, optionally with the beginning of a path. */
  | { link: string[] }
  /** Words in the text of a link. */
  | { link_text: string[] }
  /** The whole text of a link or a button. */
  | { label: string[] }
  /** Words in an image's alt text or its file name. */
  | { icon: string[] }
  /** Words in a visible text. */
  | { text: string[] }
  /** Words in a visible text of a page about payments: its URL, title or heading says so. */
  | { payment_text: string[] }
  /** A whole item of a list, in which other brands of the file stand. */
  | { listed: string[] }
  | { title: string[] }
  /** `name: words`; the words `*` match any content. */
  | { meta: Record<string, string[]> }
  /** `name: tokens`, names in lower case; `*` matches any value. */
  | { header: Record<string, string[]> }
  | { cookie: string[] }
  /** Words in the member of any JSON-LD object: `paymentAccepted: [visa]`. */
  | { json_ld: Record<string, string[]> }
  /** `password`, `email`: a visible form has an input of this type or autocomplete. */
  | { input: string[] }
  | { status: number[] }
  | { text_characters_below: number }
