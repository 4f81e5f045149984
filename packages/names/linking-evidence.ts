/** What numbers, legal forms, names and sites show of a company's country. */

/** These countries have several company registers: equal numbers prove nothing there, different ones do. */
export const countriesOfSeveralRegisters = ['AE', 'CA', 'DE', 'US']

/** Numbers whose form or register shows the country, though the source does not state it. */
export const formsOfNumbers: readonly [form: string, country: string][] = [
  ['^[a-z_]+:C[0-9]{3,6}$', 'MT'],
  ['^[a-z_]+:HE[0-9]{3,7}$', 'CY'],
  ['^[a-z_]+:HRB[0-9]+', 'DE'],
  ['^[a-z_]+:FN[0-9]+[A-Z]$', 'AT'],
  ['^[a-z_]+:CHE[0-9]{9}$', 'CH'],
  ['^czechia:[0-9]{8}$', 'CZ'],
  ['^brazil:[0-9]{14}$', 'BR'],
]

/** Legal forms of one country, whose company register has a name once. */
export const formsOfCountries = {
  DK: ['aps', 'a/s'],
  EE: ['ou'],
  FI: ['oy', 'oyj'],
  LV: ['sia'],
  LT: ['uab'],
  PL: ['sp zoo'],
  HU: ['kft', 'zrt', 'nyrt'],
  BG: ['ood', 'eood', 'ead'],
  IS: ['hf', 'ehf'],
}

/** A name that names a country is unique: the register of that country has it once. */
const countriesInNames = [
  ...['malta', 'gibraltar', 'alderney', 'guernsey', 'jersey', 'isleofman', 'cyprus', 'curacao', 'ireland'],
  ...['denmark', 'danmark', 'sweden', 'sverige', 'norway', 'finland', 'estonia', 'latvia', 'lithuania'],
  ...['poland', 'polska', 'spain', 'espana', 'portugal', 'italia', 'italy', 'france', 'belgium', 'nederland'],
  ...['deutschland', 'germany', 'austria', 'romania', 'bulgaria', 'greece', 'hellas', 'croatia', 'serbia'],
  ...['ontario', 'canada', 'brasil', 'brazil', 'colombia', 'mexico'],
]

/** `Italian Games` and `Superunited` name no country; names of countries that stand inside words are left out. */
export const countryInName = `(${countriesInNames.join('|')})(?![aeins])`

export const siteLettersMin = 4
/** Sites of many parties have these names. */
export const commonSites = [
  'bets',
  'bingo',
  'casino',
  'games',
  'lotto',
  'play',
  'poker',
  'slots',
  'sport',
  'sports',
]
