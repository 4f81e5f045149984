/** Collapses blanks, and cuts a text to a number of characters. */
export const clipped = (text: string, charactersMax: number) =>
  text
    .slice(0, charactersMax * 2)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, charactersMax)
    .toWellFormed()
