/**
 * The labels that can stand in front of a whole site, chosen by measurement on the real lists
 * (`judge-entry.test.ts` prints precision and recall).
 */
const words = (text: string) => new Set(text.trim().split(/\s+/))

/** Language versions, devices and mirrors of any site. Codes with another common use are `productFronts`. */
export const siteFronts = words(`
  ar at au az be bg br by ca ch cn cy cz da de dk ee el en es et eu fa fi fr gb ge gr hi hu hy in it
  ja jp ka
  kk ko kr kz lt lv mk mt mx ng nl no nz pe pl pt ro rs ru se si sk sl sq sr sv th tr ua uk us uz vi za zh
  bulgarian croatian czech danish english espanol finnish french german greek hungarian ita italian italiano
  norwegian polish portuguese romanian russian slovakian spanish swedish turkish
  argentina brasil bulgaria canada chile croatia cyprus deutschland greece india ireland italia italy japan
  latvija mexico norge polska russia thailand
  m mobile mobil mobi app wap tablet desktop mirror www`)

/** What a gambling site calls its parts. On any other site they may be one partner's page. */
export const productFronts = words(`
  casino casinos cassino cazino kasino kasyno giochi livecasino live livegames livestudio livedealer
  casinolive
  bet bets betting sport sports sportsbook sportbook sportsbooklive book racing scommesse odds
  poker pkr bingo lotto lottery keno slots slot vegas roulette blackjack jackpot
  play games game mgames gaming win fun go top best super lobby client app newapp download install instant
  promo promos promotion promotions kampanya bonus offers welcome vip private landing landings lp lps
  go start site home new old
  secure login member members account my join reg signup online web portal main page pages info help
  euro europe id is my me hr tv ie al ad
  showcase tracking static images img cdn media content assets banner engine api mail dev test beta
  stage staging demo admin`)

/** Words that only the names of gambling sites have. `bet` has rules of its own. */
export const gamblingWords = [
  'casino',
  'cassino',
  'cazino',
  'casyno',
  'kasino',
  'kasyno',
  'kazino',
  'poker',
  'bingo',
  'roulette',
  'blackjack',
  'baccarat',
  'jackpot',
  'scommesse',
  'sportsbook',
  'bookie',
  'gambl',
  'slots',
  'pokies',
  'spins',
  '777',
  '888',
] as const

/** `bet` within other words: alphabet, better, beton (concrete), Betrieb (company), … */
export const notBet =
  /(?:alpha|dia|eliza|li[sz]a|sher|ti|ara)bet|bet(?:h|t(?!ing)|a(?:$|\d)|ei|el|on(?!line)|r[ao]|reu|rie|ru|ween|wix)/g

/** Parties that serve gambling sites, or write about them: a deeper host may be one customer's. */
export const tradeWords =
  /affiliat|partner|software|solution|studio|system|host|media|news|times|aggregat|suppl|market|agency|track/

/** Suppliers and hosts of many gambling brands, whose names contain a gambling word. */
export const suppliers = words(`
  bet-construct betby betconstruct betgames betgenius betinvest betmakers betradar betsoft betsofttech
  betsys
  casino-pp casinomodule casinotechnology casinoweb3 casinowebscripts ct-casino evoplaybet slotegrator
  slotsware`)
