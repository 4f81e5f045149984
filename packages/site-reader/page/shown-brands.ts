/** Finds brands by the place that their names have on a page: lists, containers, tiles, titles and data. */

import { chainedBrands } from './brand-chains.ts'
import {
  allRanks,
  type Brand,
  brandsIn,
  isClear,
  type ListedBrand,
  listedBrands,
  listLimits,
} from './brand-lists.ts'
import type { CompiledRules } from './compile-rules.ts'
import type { BrandKind, PageFields, PageImage } from './page-fields.ts'
import { pageWords } from './page-words.ts'
import { isPaymentPage } from './payment-page.ts'
import { columnBrands, tileBrands } from './studio-tiles.ts'
import { placeOfImage, type TextPlace } from './text-places.ts'
import type { TextSentences } from './text-sentences.ts'

type Shown = ListedBrand & {
  /** `data` is only in the data of a page that scripts fill, beside games of a studio. */
  kind: 'list' | 'data'
}

const nameWordsMax = 5

export function shownBrands(
  page: PageFields,
  { brands, paymentPages }: CompiledRules,
  { places, sentences }: { places: readonly TextPlace[]; sentences: readonly TextSentences[] },
): Shown[] {
  const ofMethods = isPaymentPage(page, paymentPages) ? listLimits.methodsOfPaymentPage : listLimits.methods
  const listed = [
    ...listedBrands(page, places, brands.methods, ofMethods),
    ...listedBrands(page, places, brands.studios, listLimits.studios),
    ...labelledBrands([...page.methods, ...namesWithin(page, places, 'methods')], brands.methods),
    ...labelledBrands([...page.providers, ...namesWithin(page, places, 'studios')], brands.studios),
    ...titledBrands(page, brands.methods, 'methods'),
    ...titledBrands(page, brands.studios, 'studios'),
    ...tileBrands(page, places, brands.studios),
    ...columnBrands(page, places, brands.studios),
    ...chainedBrands(sentences, brands),
  ]
  return [...dataBrands(page, brands), ...listed.map(each => ({ ...each, kind: 'list' as const }))]
}

/** Finds brands in names that an attribute, a container or the folder of a picture assigns to this kind. */
const labelledBrands = (
  names: readonly string[],
  brands: CompiledRules['brands'][BrandKind],
): (ListedBrand & Brand)[] =>
  names.flatMap(name => {
    const words = pageWords(name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' '))
    const named = brandsIn(words, brands, allRanks) ?? brandsIn(pageWords(name), brands, allRanks) ?? []
    return named.map(brand => ({ ...brand, snippet: name }))
  })

/** Returns the kind that a picture's container, folder or heading gives it; null if it is refused. */
export function kindOfImage(
  image: PageImage,
  page: PageFields,
  places: readonly TextPlace[],
): { isRefused: boolean; kind: BrandKind | null } {
  const place = placeOfImage(image, page, places)
  const ofHeading = place?.isMethods === true ? 'methods' : place?.isStudios === true ? 'studios' : null
  return { isRefused: place?.isRefusedPart === true, kind: image.within ?? ofHeading }
}

function namesWithin(page: PageFields, places: readonly TextPlace[], kind: BrandKind): string[] {
  const pictures = page.images.flatMap(image => {
    const found = kindOfImage(image, page, places)
    return found.kind === kind && !found.isRefused ? [image.alt, image.file] : []
  })
  const refuses = (index: number) =>
    places[index]?.isRefused === true || places[index]?.mentionsRefusal === true
  const texts = page.texts.filter(({ within }, index) => {
    const isName = (places[index]?.words.length ?? 0) <= nameWordsMax
    const isOf =
      within === kind || (kind === 'studios' && within === null && places[index]?.isStudios === true)
    const isOther = kind === 'methods' && places[index]?.isLaterCell === true
    return isOf && isName && !isOther && !refuses(index)
  })
  const inlines = page.inlines.filter(({ within, index }) => within === kind && !refuses(index))
  return [...pictures, ...[...texts, ...inlines].map(({ text }) => text)].filter(name => name !== '')
}

/** Finds brands in titles of links without a text. One clear name is enough for the others. */
function titledBrands(
  page: PageFields,
  brands: CompiledRules['brands'][BrandKind],
  kind: BrandKind,
): ListedBrand[] {
  const names = page.titles.filter(({ within }) => within === null || within === kind)
  const found = names.flatMap(({ text, within }) =>
    labelledBrands([text], brands).map(brand => ({ ...brand, within })),
  )
  const clear = found.filter(({ rank }) => rank === 'certain' || rank === 'listed')
  return found.filter(
    brand => brand.within === kind || isClear(brand) || (clear.length > 1 && brand.rank !== 'short'),
  )
}

/** Finds brands in the data of a page. Methods alone may be those of any shop. */
function dataBrands(page: PageFields, brands: CompiledRules['brands']): Shown[] {
  const namesOf = (kind: BrandKind) =>
    labelledBrands(
      page.data.filter(({ within }) => within === kind).map(({ text }) => text),
      brands[kind],
    )
  const studios = namesOf('studios')
  const kind = studios.some(({ rank }) => rank === 'certain') ? 'data' : 'list'
  return [...studios, ...namesOf('methods')].map(({ rule, snippet }) => ({ rule, snippet, kind }))
}
