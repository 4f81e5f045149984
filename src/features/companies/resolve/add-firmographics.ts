import { Failure } from '../../../core/failure.ts'
import type { World } from '../../../database/open.ts'
import {
  type FirmographicsResult,
  type FreshnessAsked,
  readFirmographics,
  serveFirmographics,
} from '../../firmographics/index.ts'
import type { ProfileRow } from './profile-store.ts'

export type AddedFirmographics = {
  /** Of each profile, in the order of the profiles: a result for each Domain asked for. */
  results: FirmographicsResult[][]
  /** Domains asked for. One that two of the Companies share is one, and is paid once. */
  candidates: number
  /** Those of them of which there is a result. */
  available: number
}

/**
 * Firmographics of every Domain of these Companies, or of the one that was selected. A Domain that belongs to none of
 * them is answered like one that there is not.
 */
export async function addFirmographics(
  world: World,
  rows: readonly ProfileRow[],
  domainRef: string | undefined,
  asked: FreshnessAsked,
): Promise<AddedFirmographics> {
  const wanted = rows.map(row =>
    domainRef === undefined ? row.domains : row.domains.filter(domain => domain.domain_ref === domainRef),
  )
  const ids = [...new Set(wanted.flat().map(domain => domain.id))]
  if (domainRef !== undefined && ids.length === 0)
    throw new Failure('not_found', { message: '"domain_ref" is no Domain of the Company that was found.' })
  const held = await readFirmographics(world, ids)
  const available = new Set<number>()
  const results = wanted.map(domains =>
    domains.map(({ id, ...entry }) => {
      const result = serveFirmographics(entry, held.get(id), asked)
      if (result.available) available.add(id)
      return result
    }),
  )
  return { results, candidates: ids.length, available: available.size }
}
