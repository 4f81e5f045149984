/** Bidirectional control characters. Joiners (U+200C, U+200D) are not among them: scripts need those. */
const directionMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** Untrusted text without terminal control characters; line feeds stay. */
export function terminalText(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n]/gu, ' ').replaceAll(directionMarks, '')
}
