import { Failure } from '../../../core/failure.ts'
import { licenseStatuses } from '../../../core/license-status.ts'
import { suggestWord } from '../../../core/near-word.ts'
import type { World } from '../../../database/open.ts'
import type { SearchQuery } from '../contract.ts'
import { countFacets } from '../count-facets.ts'

const parameter = 'license_status'

/** 400 for an unknown status, which is a typing error; every value of the facet is accepted. */
export async function requireKnownStatus(world: World, { subject, filters }: SearchQuery): Promise<void> {
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
