/** Text as a database holds it: U+FFFD stands for zero bytes, and for halves of characters. */
export const storableText = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed()
