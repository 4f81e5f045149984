import { foldValue } from '../../core/search-text.ts'
import type { FacetCount } from './contract.ts'
import { countedField, isFolded } from './rows/search-row.ts'
import type { FacetRow } from './text-page-store.ts'

const valuesMax = 50

type Value = FacetCount['values'][number]

/** The counts of each field, the most frequent values first, at most 50 of them. */
export function listFacets(fields: readonly string[], rows: readonly FacetRow[]): FacetCount[] {
  const held = Map.groupBy(rows, row => row.field)
  return fields.map(field => {
    const values = (held.get(countedField(field)) ?? []).map(({ value, count }) => ({ value, count }))
    const told = isFolded(field) ? joinSpellings(values) : values
    return { field, values: told.toSorted(byCount).slice(0, valuesMax) }
  })
}

const byCount = (one: Value, other: Value) => other.count - one.count || (one.value < other.value ? -1 : 1)

/** What the filter takes for one value is counted as one, in the spelling that most rows have. */
function joinSpellings(values: readonly Value[]): Value[] {
  return [...Map.groupBy(values, ({ value }) => foldValue(value)).values()].map(spellings => {
    const [most] = spellings.toSorted(byCount) as [Value]
    return { value: most.value, count: spellings.reduce((sum, { count }) => sum + count, 0) }
  })
}
