/** Markup. Only `html` creates it, so that text cannot become markup by accident. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

export type Content = Html | string | number | null | undefined | false | readonly Content[]

/** Escapes text, and inserts markup and lists of it. Null, undefined and false are left out. */
export function html(strings: TemplateStringsArray, ...values: Content[]): Html {
  let text = strings[0] as string
  for (const [index, value] of values.entries()) text += markupOf(value) + (strings[index + 1] as string)
  return new Html(text)
}

function markupOf(value: Content): string {
  if (value === null || value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(markupOf).join('')
  return escapeHtml(String(value))
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
