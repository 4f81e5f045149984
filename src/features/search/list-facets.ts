import { foldValue } from '@baize/names'
import type { FacetCount } from './contract.ts'
import { countedField, isFolded } from './rows/search-row.ts'

const valuesMax = 50

export type FacetRow = { field: string; value: string; count: number }

type Value = FacetCount['values'][number]

export function listFacets(fields: readonly string[], rows: readonly FacetRow[]): FacetCount[] {
  const rowsOfField = Map.groupBy(rows, row => row.field)
  return fields.map(field => {
    const values = (rowsOfField.get(countedField(field)) ?? []).map(({ value, count }) => ({ value, count }))
    const joined = isFolded(field) ? joinSpellings(values) : values
    return { field, values: joined.toSorted(byCount).slice(0, valuesMax) }
  })
}

const byCount = (one: Value, other: Value) => other.count - one.count || (one.value < other.value ? -1 : 1)

/** Counts the spellings that a filter treats as one value together, under the most frequent spelling. */
function joinSpellings(values: readonly Value[]): Value[] {
  return [...Map.groupBy(values, ({ value }) => foldValue(value)).values()].map(spellings => {
    const [most] = spellings.toSorted(byCount) as [Value]
    return { value: most.value, count: spellings.reduce((sum, { count }) => sum + count, 0) }
  })
}
