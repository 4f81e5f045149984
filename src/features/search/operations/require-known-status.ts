import { Failure } from '../../../core/failure.ts'
import { licenseStatuses } from '../../../core/license-status.ts'
import { suggestWord } from '../../../core/near-word.ts'
import type { World } from '../../../database/open.ts'
import type { SearchQuery } from '../contract.ts'
import { facetCounts } from '../count-facets.ts'

const parameter = 'license_status'

/**
 * A status that neither the registers use nor any license has is a typing error, and 400: an empty page would say that no
 * license is in that state. What a facet tells can always be asked for.
 */
export async function requireKnownStatus(world: World, { subject, filters }: SearchQuery): Promise<void> {
  const status = filters.find(({ field }) => field === parameter)?.value
  if (status === undefined || (licenseStatuses as readonly string[]).includes(status)) return
  const [held] = await facetCounts(world, { subject, filters: [] }, [parameter])
  const known = [...new Set<string>([...licenseStatuses, ...(held?.values ?? []).map(({ value }) => value)])]
  if (known.includes(status)) return
  const takes = `one of ${known.join(', ')}`
  const { suffix, did_you_mean } = suggestWord(status, known)
  throw new Failure('invalid_parameter', {
    message: `"${parameter}" takes ${takes}${suffix}`,
    details: { parameter, takes, did_you_mean },
  })
}
