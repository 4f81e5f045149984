/** The members that both free previews return (§4.4, §4.10): how much there is, and nothing paid. */
import { type TObject, Type } from 'typebox'
import { closed, nullable, oneOf } from '../../../core/schema.ts'
import { charge, type PriceKey } from '../../../metering/pricing.ts'

export const sampleRowsMax = 3
const nextActionRowsMax = 10
const estimatedPageSizes = [10, 25, 50, 100] as const
const lettersShownMax = 2
const mask = '***'

export const estimatedCosts = Type.Object(
  Object.fromEntries(estimatedPageSizes.map(rows => [String(rows), Type.Integer()])),
  {
    ...closed,
    description: 'Credits that the first page of the paid search would cost, by `page_size`.',
  },
)

export const nextAction = nullable(
  Type.Object(
    {
      type: oneOf(['paid_search']),
      method: oneOf(['GET']),
      href: Type.String({
        description:
          `The paid search with the same filters, at most ${nextActionRowsMax} rows, and ` +
          '`max_credits` set to their price.',
      }),
      estimated_credits: Type.Integer(),
    },
    { ...closed, named: 'NextAction' },
  ),
  { description: 'null when nothing matches.' },
)

/** The serialiser drops members that the sample schema does not declare. */
export const sampleOf = <Row extends TObject>(row: Row) =>
  Type.Array(row, { maxItems: sampleRowsMax, description: `Up to ${sampleRowsMax} rows, redacted.` })

export function estimateCosts(price: PriceKey, total: number): Record<string, number> {
  return Object.fromEntries(
    estimatedPageSizes.map(rows => [String(rows), charge(price, Math.min(rows, total)).credits_charged]),
  )
}

type Filters = Record<string, string | number | boolean | undefined>

export function suggestPaidSearch(path: string, price: PriceKey, filters: Filters, total: number) {
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

/** Masks a name after its second letter, its length too; at least one letter is always masked. */
export function maskName(name: string | null): string | null {
  if (name === null) return null
  const all = Array.from(letters.segment(name), ({ segment }) => segment)
  return all.slice(0, Math.min(lettersShownMax, all.length - 1)).join('') + mask
}
