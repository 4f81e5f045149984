// Builds Company names of two invented words and a word of the trade, the same in every run.

const beginnings = 'ar bel cor dan el far gol har is jan kel lor mar nor or'.split(' ')
const middles = 'a ba cu de fi go ki lo mo ne pi ra se ti vo'.split(' ')
const ends = 'dex lin mont rin son tar vale wick'.split(' ')

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** The 1,800 words, two in each name: 100,000 Companies share words, and hardly any share a name. */
export const words: readonly string[] = beginnings.flatMap(beginning =>
  middles.flatMap(middle => ends.map(end => capital(`${beginning}${middle}${end}`))),
)
export const tradeWords: readonly string[] =
  'Gaming Play Bet Entertainment Interactive Casino Games Leisure Sports Digital'.split(' ')

const secondWordStep = 7
const secondWordEvery = 13

export function companyNameOf(number: number): string {
  const first = words[number % words.length]
  const second = words[(number * secondWordStep + Math.floor(number / secondWordEvery)) % words.length]
  return `${first} ${second} ${tradeWords[number % tradeWords.length]}`
}
