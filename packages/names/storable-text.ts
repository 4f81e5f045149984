/** Replaces NUL and lone surrogates by U+FFFD, because PostgreSQL text cannot store them. */
export const storableText = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed()
