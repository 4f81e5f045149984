/** Company names of two invented words and one of the trade, the same in every run. */

const beginnings = [
  'ar',
  'bel',
  'cor',
  'dan',
  'el',
  'far',
  'gol',
  'har',
  'is',
  'jan',
  'kel',
  'lor',
  'mar',
  'nor',
  'or',
]
const middles = ['a', 'ba', 'cu', 'de', 'fi', 'go', 'ki', 'lo', 'mo', 'ne', 'pi', 'ra', 'se', 'ti', 'vo']
const ends = ['dex', 'lin', 'mont', 'rin', 'son', 'tar', 'vale', 'wick']
const trades = [
  'Gaming',
  'Play',
  'Bet',
  'Entertainment',
  'Interactive',
  'Casino',
  'Games',
  'Leisure',
  'Sports',
  'Digital',
]

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** 1,800 words, two in each name: 100,000 Companies share words and hardly any name. */
export const words: readonly string[] = beginnings.flatMap(beginning =>
  middles.flatMap(middle => ends.map(end => capital(`${beginning}${middle}${end}`))),
)
export const tradeWords: readonly string[] = trades

const secondWordStep = 7
const secondWordEvery = 13

export function companyNameOf(number: number): string {
  const first = words[number % words.length]
  const second = words[(number * secondWordStep + Math.floor(number / secondWordEvery)) % words.length]
  return `${first} ${second} ${trades[number % trades.length]}`
}
