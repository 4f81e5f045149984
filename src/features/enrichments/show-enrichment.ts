import { Failure } from '../../core/failure.ts'
import type { Static } from '../../core/operation.ts'
import { closedObject } from '../../core/schema.ts'
import { type Context, defineOperation } from '../operation.ts'
import { countFound, countObserved, findEnrichment } from './enrichments-store.ts'
import { enrichmentParams, enrichmentRecord } from './schemas.ts'
import example from './show-enrichment.example.json' with { type: 'json' }

export const demoDomain = 'luckyotter.example'
/** The id of the enrichment that every demo request gets. */
export const demoEnrichmentId = 'enr_00000000000000000001'
/** A fixed time, later than the observations of the demo world. */
const demoRequestedAt = '2026-10-01T06:00:00.000Z'
const demoCompletedAt = '2026-10-01T06:00:09.000Z'

/** Returns an enrichment as if a check had found the data of the demo world. */
async function demoEnrichment({ world }: Context): Promise<Static<typeof enrichmentRecord>> {
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

export const showEnrichment = defineOperation({
  name: 'show_enrichment',
  method: 'GET',
  path: '/v1/enrichments/{id}',
  tag: 'Enrichments',
  section: '§8',
  summary: 'Show the check of a site',
  description: `Returns the status of a check that you requested, with how many values it found. The
values are in the observations of the domain. Takes the \`enrichment_id\` of \`POST /v1/enrichments\` and
of \`enrichment_run\`. Another account's id is 404, like a missing one. Free.`,
  query: closedObject({}),
  params: enrichmentParams,
  data: enrichmentRecord,
  prices: [],
  failures: ['not_found'],
  demo: [{ title: 'The demo check', query: {}, params: { id: demoEnrichmentId } }],
  example,

  async quote(context, { id }) {
    const data = context.world.name === 'demo' ? await demoEnrichment(context) : await shown(context, id)
    return { ceiling: 0, deliver: async () => ({ data, charges: [] }) }
  },
})

async function shown(
  { world: { database }, caller }: Context,
  id: string,
): Promise<Static<typeof enrichmentRecord>> {
  const enrichment = await findEnrichment(database, caller.accountId, id)
  if (enrichment === undefined)
    throw new Failure('not_found', { message: 'You have no enrichment with this id.' })
  const { state, reason, credits_charged } = enrichment
  const isCompleted = state === 'completed'
  return {
    enrichment_id: id,
    domain: enrichment.domain,
    status: state,
    reason,
    requested_at: enrichment.requested_at.toISOString(),
    completed_at: isCompleted ? (enrichment.finished_at as Date).toISOString() : null,
    credits_charged: enrichment.is_paid ? (credits_charged ?? 0) : 0,
    found: isCompleted ? await countFound(database, enrichment.reading_id) : null,
  }
}
