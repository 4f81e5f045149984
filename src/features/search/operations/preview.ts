/** Writes the free previews of both searches (§4.4, §4.10): the number of rows, and no paid data. */
import { type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { closedObject, namedObject, nullable, oneOf } from '../../../core/schema.ts'
import type { World } from '../../../database/open.ts'
import { charge, type PriceKey } from '../../../metering/pricing.ts'
import type { PageRequest } from '../contract.ts'
import { cachedPreview } from '../result-cache.ts'
import type { SearchFilters } from './filter-input.ts'
import type { FoundPage } from './find-page.ts'
import { facetCountsSchema, writerOf } from './search-page.ts'

export const sampleRowsMax = 3
/** A search while somebody types counts no further: a million numbers may begin with the text. */
export const sampleCountMax = 1_000

export const limitedCount = (total: number) => ({
  total_count: Math.min(total, sampleCountMax),
  is_at_least: total >= sampleCountMax,
})
const nextActionRowsMax = 10
const estimatedPageSizes = [10, 25, 50, 100] as const
const lettersShownMax = 2
const mask = '***'

const estimatedCosts = closedObject(
  Object.fromEntries(estimatedPageSizes.map(rows => [String(rows), Type.Integer()])),
  { description: 'Credits that the first page of the paid search would cost, by `page_size`.' },
)

const nextAction = nullable(
  namedObject('NextAction', {
    type: oneOf(['paid_search']),
    method: oneOf(['GET']),
    href: Type.String({
      description:
        `The paid search with the same filters, at most ${nextActionRowsMax} rows, and ` +
        '`max_credits` set to their price.',
    }),
    estimated_credits: Type.Integer(),
  }),
  { description: 'null when nothing matches.' },
)

/** Declares the data of a preview. The serialiser omits members that the sample schema does not declare. */
export function previewData(
  plural: string,
  { query, sample, members }: { query: TObject; sample: TObject; members: TProperties },
) {
  const properties: TProperties = {
    query,
    total_count: Type.Integer({ description: `All ${plural} that match.` }),
    estimated_costs: estimatedCosts,
    next_action: nextAction,
    facet_counts: facetCountsSchema,
    sample: Type.Array(sample, {
      maxItems: sampleRowsMax,
      description: `Up to ${sampleRowsMax} rows, redacted.`,
    }),
    ...members,
  }
  return closedObject(properties)
}

/** Returns a function that writes each member by its schema. */
export function membersWriter({ properties }: TObject): (data: object) => Record<string, string> {
  const writers = Object.entries(properties).map(([name, of]) => [name, writerOf(of as TSchema)] as const)
  return data =>
    Object.fromEntries(writers.map(([name, write]) => [name, write(data[name as keyof typeof data])]))
}

type FreePreview = {
  /** The name of the preview, under which its answers are cached. */
  name: string
  /** The path of the paid search. */
  path: string
  price: PriceKey
  write(data: object): Record<string, string>
  find(page: PageRequest): Promise<FoundPage & { sample: readonly object[]; members: object }>
}

const page = { position: { offset: 0 }, rows: sampleRowsMax }

export async function quotePreview(
  world: World,
  filters: SearchFilters,
  { name, path, price, write, find }: FreePreview,
) {
  const delivery = await cachedPreview(world, name, filters, async () => {
    const { result, facets, sample, members } = await find(page)
    const answer = {
      query: filters,
      total_count: result.total,
      estimated_costs: estimateCosts(price, result.total),
      next_action: suggestPaidSearch(path, price, filters, result.total),
      facet_counts: facets,
      sample,
      ...members,
    }
    return { delivery: { data: {}, written: write(answer), charges: [] }, version: result.version }
  })
  return { ceiling: 0, deliver: async () => delivery }
}

export function estimateCosts(price: PriceKey, total: number): Record<string, number> {
  return Object.fromEntries(
    estimatedPageSizes.map(rows => [String(rows), charge(price, Math.min(rows, total)).credits_charged]),
  )
}

export function suggestPaidSearch(
  path: string,
  price: PriceKey,
  filters: Readonly<Record<string, string | number | boolean | undefined>>,
  total: number,
) {
  if (total === 0) return null
  const rows = Math.min(nextActionRowsMax, total)
  const credits = charge(price, rows).credits_charged
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...filters, page_size: rows, max_credits: credits }))
    if (value !== undefined) parameters.set(name, String(value))
  return {
    type: 'paid_search' as const,
    method: 'GET' as const,
    href: `${path}?${parameters}`,
    estimated_credits: credits,
  }
}

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Masks a name after its second letter, including its length. At least one letter is always masked. */
export function maskName(name: string | null): string | null {
  if (name === null) return null
  const all = Array.from(letters.segment(name), ({ segment }) => segment)
  return all.slice(0, Math.min(lettersShownMax, all.length - 1)).join('') + mask
}
