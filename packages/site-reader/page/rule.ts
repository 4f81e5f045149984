/**
 * A rule of `rules/<file>.yaml`: `key: {value, any | all}`. Each condition matches parsed fields of one
 * page. Texts are compared by whole words, folded by case, accents and punctuation.
 */
export type Rule = {
  /** The file and key, such as `payment-methods/visa`. */
  rule: string
  /** The value of a finding. The file defines its shape. */
  value: Record<string, unknown>
  condition: Condition
}

/** A condition with exactly one member. A list matches if one of its items does. */
export type Condition =
  | { all: Condition[] }
  | { any: Condition[] }
  | { not: Condition }
  /**
   * Matches a loaded or declared host or its subdomains. `pay.example/js` also limits the beginning of the
   * path.
   */
  | { host: string[] }
  /** Matches the host of a link's target or its subdomains, optionally with the beginning of a path. */
  | { link: string[] }
  /** Matches words in the `rel` of a link, such as `sponsored`. */
  | { link_rel: string[] }
  /** Matches words in the text of a link. */
  | { link_text: string[] }
  /** Matches the whole text of a link or a button. */
  | { label: string[] }
  /** Matches words in an image's alternative text or file name. */
  | { icon: string[] }
  /** Matches words in a visible text. */
  | { text: string[] }
  /** Matches words in a visible text of a payment page, which its URL, title or heading identifies. */
  | { payment_text: string[] }
  /** Matches a whole item of a list that has other brands of the file. */
  | { listed: string[] }
  | { title: string[] }
  /** Matches words in the content of the meta element `name`. `*` matches any content. */
  | { meta: Record<string, string[]> }
  /** Matches tokens of a header, whose name is in lower case. `*` matches any value. */
  | { header: Record<string, string[]> }
  | { cookie: string[] }
  /** Matches words at the beginning of an inline script, on a page with little text. */
  | { script: string[] }
  /** Matches words in a member of any JSON-LD object: `paymentAccepted: [visa]`. */
  | { json_ld: Record<string, string[]> }
  /** Matches a visible form with an input of this type or autocomplete, such as `password` or `email`. */
  | { input: string[] }
  /** Matches the language of the page: `sv` for `sv-SE`, `*` for any that it names. */
  | { lang: string[] }
  | { status: number[] }
  | { text_characters_below: number }
