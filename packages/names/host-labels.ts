import { readFileSync } from 'node:fs'

/**
 * These lists of labels can precede the domain of a whole site. They were chosen by measurement on real
 * blocklists: `judge-entry.test.ts` prints precision and recall.
 */
const words = (text: string) => new Set(text.trim().split(/\s+/))
const wordsOf = (file: string) => words(readFileSync(new URL(`./data/${file}`, import.meta.url), 'utf8'))

/**
 * Labels of language versions, devices and mirrors of any site. `productLabels` has codes with another
 * common use.
 */
export const siteLabels = wordsOf('site-labels.txt')

/** Labels for parts of a gambling site. On any other site such a label may be one partner's page. */
export const productLabels = wordsOf('product-labels.txt')

/** Words that occur only in names of gambling sites. `bet` has its own rules. */
export const gamblingWords = [
  ...words(`
    casino cassino cazino casyno kasino kasyno kazino poker bingo roulette blackjack baccarat
    jackpot scommesse sportsbook bookie gambl slots pokies spins 777 888`),
]

/** Matches words that contain `bet` and are not about betting, such as alphabet, better and Betrieb. */
export const notBet =
  /(?:alpha|dia|eliza|li[sz]a|sher|ti|ara)bet|bet(?:h|t(?!ing)|a(?:$|\d)|ei|el|on(?!line)|r[ao]|reu|rie|ru|ween|wix)/g

/**
 * Matches parties that serve gambling sites or write about them. Their deeper hosts may belong to one
 * customer.
 */
export const tradeWords =
  /affiliat|partner|software|solution|studio|system|host|media|news|times|aggregat|suppl|market|agency|track/

/** Suppliers and hosts of many gambling brands whose own names contain a gambling word. */
export const suppliers = words(`
  bet-construct betby betconstruct betgames betgenius betinvest betmakers betradar betsoft betsofttech
  betsys
  casino-pp casinomodule casinotechnology casinoweb3 casinowebscripts ct-casino evoplaybet slotegrator
  slotsware`)
