import type { Static } from '../../core/operation.ts'
import type { Context } from '../operation.ts'
import { countObserved } from './enrichments-store.ts'
import type { enrichmentRecord } from './schemas.ts'

export const demoDomain = 'luckyotter.example'
/** Of the enrichment that every demo request gets. */
export const demoEnrichmentId = 'enr_00000000000000000001'
/** Fixed, and after the observations of the demo world. */
const demoRequestedAt = '2026-10-01T06:00:00.000Z'
const demoCompletedAt = '2026-10-01T06:00:09.000Z'

/** As if a check had found what the demo world has. */
export async function demoEnrichment({ world }: Context): Promise<Static<typeof enrichmentRecord>> {
  return {
    enrichment_id: demoEnrichmentId,
    domain: demoDomain,
    status: 'completed',
    reason: null,
    requested_at: demoRequestedAt,
    completed_at: demoCompletedAt,
    credits_charged: 0,
    found: await countObserved(world.database, demoDomain),
  }
}
