import { suggestWord } from '@baize/names'
import { licenseStatuses } from '@baize/registers/entries'
import { Failure } from '../../../core/failure.ts'
import type { World } from '../../../database/open.ts'
import type { FacetCount, PageRequest, SearchQuery, SearchResult } from '../contract.ts'
import { countFacets } from '../count-facets.ts'
import { nothing } from '../page-start.ts'
import { facetFields } from '../rows/search-row.ts'
import { searchRows } from '../search-rows.ts'

export type FoundPage = { result: SearchResult; facets: FacetCount[] }

export async function findPage<Added extends object>(
  world: World,
  query: SearchQuery,
  page: PageRequest,
  add: (result: SearchResult) => Promise<Added>,
): Promise<FoundPage & Added> {
  await requireKnownStatus(world, query)
  const fields = facetFields[query.subject]
  const found = await searchRows(world, query, { ...page, facets: fields })
  const isConcealed = page.concealsEmpty === true && found.rows.length === 0
  const result = isConcealed ? { ...found, ...nothing, facets: emptyFacets(fields) } : found
  // The page comes first: facets and the identified Company are read at its version.
  const [facets, added] = await Promise.all([
    result.facets ?? countFacets(world, query, fields, result.version),
    add(result),
  ])
  return { result, facets, ...added }
}

const emptyFacets = (fields: readonly string[]) => fields.map(field => ({ field, values: [] }))

const parameter = 'license_status'

/** Rejects an unknown status with 400 as a typing error. Every value of the facet is accepted. */
async function requireKnownStatus(world: World, { subject, filters }: SearchQuery): Promise<void> {
  const status = filters.find(({ field }) => field === parameter)?.value
  if (status === undefined || (licenseStatuses as readonly string[]).includes(status)) return
  const [facet] = await countFacets(world, { subject, filters: [] }, [parameter])
  const stored = facet?.values.map(({ value }) => value) ?? []
  const known = [...new Set<string>([...licenseStatuses, ...stored])]
  if (known.includes(status)) return
  const takes = `one of ${known.join(', ')}`
  const { suffix, did_you_mean } = suggestWord(status, known)
  throw new Failure('invalid_parameter', {
    message: `"${parameter}" must be ${takes}${suffix}`,
    details: { parameter, takes, did_you_mean },
  })
}
