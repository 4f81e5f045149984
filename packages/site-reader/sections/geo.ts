/** Reads languages, currencies and addressed places of a page (§2.9). `joinGeo` joins the pages. */

import { foldedWords } from '@baize/names'
import type { SectionFinding } from '../finding.ts'
import { textsIn } from '../page/match-rules.ts'
import type { PageFields } from '../page/page-fields.ts'
import { currenciesIn, isCurrency } from './currencies.ts'
import type { MatchedPage } from './matched-page.ts'

export type Geo = { languages: string[]; currencies: string[]; geo_hints: string[] }

const valuesMax = 50
const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

export function readGeo({ page }: MatchedPage): SectionFinding[] {
  const tags = [page.lang, ...page.alternates.map(({ lang }) => lang), metaLocale(page)].flatMap(localeOf)
  const declared = page.jsonLd.flatMap(object =>
    ['currenciesAccepted', 'priceCurrency', 'currency'].flatMap(name => textsIn(object[name])),
  )
  const areas = page.jsonLd.flatMap(object => textsIn(object.areaServed))
  // Alternates are left out, because they are other versions of the page.
  const own = [page.lang, metaLocale(page)].flatMap(localeOf)
  const countryOfSite = domainCountry(page.url)
  const places = [
    ...own.flatMap(({ region }) => (region === null ? [] : [region])),
    ...(countryOfSite === null ? [] : [countryOfSite]),
    ...own.map(({ language }) => language),
  ]
  const geo = {
    languages: distinct([
      ...tags.map(({ language }) => language),
      ...languageMenu(page),
      ...menuOf(page, languageNamed),
    ]),
    currencies: distinct([
      ...declared.flatMap(text => text.split(/[\s,;]+/)).filter(isCurrency),
      ...currenciesIn(
        page.texts.map(({ text }) => text),
        places,
      ),
      ...menuOf(page, text => (isCurrency(text) ? text : null)),
    ]),
    geo_hints: distinct([
      ...tags.flatMap(({ region }) => (region === null ? [] : [region])),
      ...areas.filter(isCountry),
    ]),
  }
  return geoFindings(geo)
}

/** Returns the country of a top-level domain, as in `casino.dk`. */
function domainCountry(url: string): string | null {
  const label = URL.parse(url)?.hostname.split('.').at(-1)?.toUpperCase() ?? ''
  return isCountry(label) ? label : null
}

/** Joins the values of all pages of a site into one. */
export function joinGeo(values: readonly Geo[]): Geo {
  return {
    languages: distinct(values.flatMap(geo => geo.languages)),
    currencies: distinct(values.flatMap(geo => geo.currencies)),
    geo_hints: distinct(values.flatMap(geo => geo.geo_hints)),
  }
}

function geoFindings(geo: Geo): SectionFinding[] {
  if (Object.values(geo).every(list => list.length === 0)) return []
  const snippet = Object.values(geo).flat().join(' ').slice(0, 300)
  return [{ valueKey: '', value: geo, rule: 'geo', strength: 2, snippet }]
}

const distinct = (values: readonly string[]) => [...new Set(values)].slice(0, valuesMax)

/** Reads a menu of at least two neighbours: options, or items of a list. */
function menuOf({ texts }: PageFields, read: (text: string) => string | null): string[] {
  const found = texts.map(({ text, tag }) =>
    menuTags.has(tag) && text.length <= choiceCharactersMax ? read(text) : null,
  )
  return found.filter(
    (each, index): each is string =>
      each !== null && [index - 1, index + 1].some(at => (found[at] ?? null) !== null),
  )
}

const menuTags = new Set(['option', 'li', 'button'])
const choiceCharactersMax = 30

const namedLanguages = new Map(
  `ar az bg bn cs da de el en es et fa fi fr he hi hr hu hy id is it ja ka kk ko lt lv mk ms nl no pl pt ro ru
   sk sl sq sr sv sw ta te th tr uk ur uz vi zh`
    .split(/\s+/)
    .flatMap(code => {
      const own = new Intl.DisplayNames(code, { type: 'language' }).of(code)
      return own === undefined || own === code ? [] : [[foldedWords(own).join(' '), code] as const]
    }),
)

const languageNamed = (text: string): string | null => namedLanguages.get(foldedWords(text).join(' ')) ?? null

/** Reads at least two links such as `/de/` whose text is the language's code or its own name. */
function languageMenu({ links }: PageFields): string[] {
  const found = links.flatMap(({ path, text }) => {
    const code = /^\/([a-z]{2})(?:[-_][a-z]{2})?\/?$/i.exec(path)?.[1]?.toLowerCase()
    return code !== undefined && isNameOf(code, text.toLowerCase().trim()) ? [code] : []
  })
  return found.length < 2 ? [] : found
}

function isNameOf(code: string, text: string): boolean {
  if (languages.of(code) === undefined) return false
  const own = new Intl.DisplayNames(code, { type: 'language' }).of(code)?.toLowerCase()
  return text === code || text === own || text === languages.of(code)?.toLowerCase()
}

const metaLocale = (page: PageFields) =>
  page.metas.find(({ name }) => name === 'og:locale')?.content.replace('_', '-') ?? null

const isCountry = (code: string) => /^[A-Z]{2}$/.test(code) && countries.of(code) !== undefined

/** Reads a tag such as `de-AT`. `x-default` and text that is not a language yield nothing. */
function localeOf(tag: string | null): { language: string; region: string | null }[] {
  const [, language = '', region = ''] =
    /^([a-z]{2,3})(?:[-_][a-z]{4})?(?:[-_]([a-z]{2}))?$/i.exec(tag?.trim() ?? '') ?? []
  const code = language.toLowerCase()
  if (code === '' || languages.of(code) === undefined) return []
  const country = region.toUpperCase() === 'UK' ? 'GB' : region.toUpperCase()
  return [{ language: code, region: isCountry(country) ? country : null }]
}
