/** Greek and Cyrillic letters with the shape of a Latin one, which registers mix into numbers. */
const alike = {
  АΑ: 'A',
  ВΒ: 'B',
  С: 'C',
  ЕΕ: 'E',
  НΗ: 'H',
  ІΙ: 'I',
  Ј: 'J',
  КΚ: 'K',
  МΜ: 'M',
  Ν: 'N',
  ОΟ: 'O',
  РΡ: 'P',
  Ѕ: 'S',
  ТΤ: 'T',
  Χ: 'X',
  Х: 'X',
  Υ: 'Y',
  Ζ: 'Z',
  а: 'a',
  с: 'c',
  е: 'e',
  і: 'i',
  ј: 'j',
  оο: 'o',
  р: 'p',
  ѕ: 's',
  х: 'x',
  у: 'y',
}

const latin = new Map(
  Object.entries(alike).flatMap(([letters, letter]) => Array.from(letters, each => [each, letter] as const)),
)

/** Replaces letters that look like Latin ones: `ΗΕ 399558`, printed in Greek letters, is `HE 399558`. */
export const latinLetters = (text: string): string =>
  text.replaceAll(/[\p{Script=Greek}\p{Script=Cyrillic}]/gu, letter => latin.get(letter) ?? letter)
