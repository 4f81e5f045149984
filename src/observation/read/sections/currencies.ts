/** Currencies beside amounts. Signs of several countries are read by the page's language and country. */
const symbols: Record<string, string> = {
  '€': 'EUR',
  '£': 'GBP',
  '₽': 'RUB',
  '₹': 'INR',
  '₺': 'TRY',
  '₴': 'UAH',
  '₸': 'KZT',
  '₫': 'VND',
  '₱': 'PHP',
  '฿': 'THB',
  '₩': 'KRW',
  '₪': 'ILS',
  '₦': 'NGN',
  '₼': 'AZN',
  '₾': 'GEL',
  '₵': 'GHS',
  '৳': 'BDT',
  zł: 'PLN',
  Kč: 'CZK',
  Ft: 'HUF',
  лв: 'BGN',
  руб: 'RUB',
  R$: 'BRL',
  C$: 'CAD',
  CA$: 'CAD',
  A$: 'AUD',
  AU$: 'AUD',
  NZ$: 'NZD',
  US$: 'USD',
  HK$: 'HKD',
  S$: 'SGD',
  MX$: 'MXN',
  'S/': 'PEN',
  'د.إ': 'AED',
  'ر.س': 'SAR',
  'د.ك': 'KWD',
  'ر.ق': 'QAR',
  'ج.م': 'EGP',
  TL: 'TRY',
  Rp: 'IDR',
  RM: 'MYR',
  KSh: 'KES',
  KSH: 'KES',
  TSh: 'TZS',
  USh: 'UGX',
  грн: 'UAH',
  тг: 'KZT',
  леи: 'MDL',
  元: 'CNY',
  円: 'JPY',
  원: 'KRW',
  บาท: 'THB',
  đ: 'VND',
}

/** By country, or by language where no country is declared. */
const shared: Record<string, Record<string, string>> = {
  kr: {
    SE: 'SEK',
    DK: 'DKK',
    NO: 'NOK',
    IS: 'ISK',
    sv: 'SEK',
    da: 'DKK',
    nb: 'NOK',
    no: 'NOK',
    nn: 'NOK',
    is: 'ISK',
  },
  $: {
    US: 'USD',
    CA: 'CAD',
    AU: 'AUD',
    NZ: 'NZD',
    MX: 'MXN',
    CO: 'COP',
    CL: 'CLP',
    AR: 'ARS',
    UY: 'UYU',
    ja: 'USD',
    zh: 'USD',
    ko: 'USD',
    ru: 'USD',
    ar: 'USD',
    th: 'USD',
    vi: 'USD',
  },
  R: { ZA: 'ZAR', af: 'ZAR', zu: 'ZAR' },
  din: { RS: 'RSD', sr: 'RSD' },
  дин: { RS: 'RSD', sr: 'RSD' },
  lei: { RO: 'RON', MD: 'MDL', ro: 'RON' },
  '¥': { JP: 'JPY', CN: 'CNY', ja: 'JPY', zh: 'CNY' },
  '￥': { JP: 'JPY', CN: 'CNY', ja: 'JPY', zh: 'CNY' },
}

const codes = new Set(
  `SAR KWD QAR EGP
   AED ARS AUD AZN BDT BGN BRL CAD CHF CLP CNY COP CZK DKK EUR GBP GEL GHS HKD HRK HUF IDR ILS INR ISK JPY KES
   KRW KZT MDL MXN MYR NGN NOK NZD PEN PHP PKR PLN PYG RON RSD RUB SEK SGD THB TND TRY TWD TZS UAH UGX USD UYU
   UZS VES VND XAF XOF ZAR ZMW BTC ETH LTC DOGE USDT USDC`.split(/\s+/),
)
/** Also words of headings in capitals: `TRY 100 SPINS`. */
const words = new Set(['TRY', 'GEL', 'PEN', 'COP', 'RON', 'RUB'])

const names = [...Object.keys(symbols), ...Object.keys(shared)]
  .toSorted((one, other) => other.length - one.length)
  .map(symbol => symbol.replaceAll(/[$/.]/g, '\\$&'))
  .join('|')
const before = new RegExp(`(?<![\\p{L}\\p{N}])(${names}|[A-Z]{3,4})\\s?\\d`, 'gu')
const after = new RegExp(`\\d\\s?(${names}|[A-Z]{3,4})(?![\\p{L}\\p{N}])`, 'gu')
/** At the beginning or the end of a short text. */
const lone = new RegExp(`^(${names})(?![\\p{L}\\p{N}])`, 'u')
const loneTextCharactersMax = 40

export const isCurrency = (code: string): boolean => codes.has(code)

/** `places`: countries and languages that the page declares, the nearest first. */
export function currenciesIn(texts: readonly string[], places: readonly string[] = []): string[] {
  const found = new Set<string>()
  for (const text of texts) {
    for (const [, name = ''] of text.matchAll(before)) if (!words.has(name)) add(found, name, places)
    for (const [, name = ''] of text.matchAll(after)) add(found, name, places)
    // Beside an input: `<input value="50"> € <button>`.
    const [, name] = text.length <= loneTextCharactersMax ? (lone.exec(text) ?? []) : []
    if (name !== undefined) add(found, name, places)
  }
  return [...found]
}

function add(found: Set<string>, name: string, places: readonly string[]): void {
  const ofPlace = shared[name]
  const place = ofPlace === undefined ? undefined : places.find(each => ofPlace[each] !== undefined)
  const code = place === undefined ? (symbols[name] ?? name) : ofPlace?.[place]
  if (code !== undefined && codes.has(code)) found.add(code)
}
