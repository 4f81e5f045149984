/**
 * Marks that turn the direction of the text around them, so that it reads as another. Joiners (U+200C, U+200D) are none
 * of them: scripts need those.
 */
const directionMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** What strangers wrote, without what a terminal would obey; line feeds stay, for whoever prints paragraphs. */
export function terminalText(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n]/gu, ' ').replaceAll(directionMarks, '')
}
