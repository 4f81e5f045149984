/** PostgreSQL text has no NUL and no lone surrogates: both become U+FFFD. */
export const storableText = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed()
