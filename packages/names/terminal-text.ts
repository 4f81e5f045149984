/**
 * Matches bidirectional control characters. Joiners (U+200C, U+200D) are excluded, because some scripts
 * need them.
 */
const directionMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** Removes terminal control characters from untrusted text; line feeds stay. */
export function terminalText(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n]/gu, ' ').replaceAll(directionMarks, '')
}
