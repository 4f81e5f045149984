import type { Charge, Delivery } from '../../core/operation.ts'
import { charge } from '../../metering/pricing.ts'
import { type AnsweredCheck, askForCheck, type CheckNeed, notCharged } from '../enrichments/index.ts'
import type { Context } from '../operation.ts'
import { enrichmentRun } from './check-for-verdict.ts'
import { readCheckedStreams } from './checked-streams-store.ts'
import { cachedCoverage, type VerdictRow, verdictRowsNow } from './domain-store.ts'
import { readMentions } from './mentions-store.ts'
import { type Observations, observeDomain } from './observe-domain.ts'
import type { ObservationSection } from './schemas.ts'
import { billVerdicts, checkedAt, unsentVerdict, writeVerdict } from './verdict-members.ts'

export type VerdictRequest = {
  domain: string
  /** As it was sent, for the listings that name exactly it. */
  sent: string
  sections: readonly ObservationSection[]
  maxCredits: number | undefined
  /** As quoted; undefined: nothing is stored about the domain. */
  row: VerdictRow | undefined
  need: CheckNeed | null
  /** The ceiling without the check of the site. */
  ownCredits: number
  /** Whether `checked` names its streams. */
  namesStreams: boolean
}

/** Waits for a check of the site first, if one is needed. */
export async function deliverVerdict(context: Context, request: VerdictRequest) {
  const { world } = context
  const answered = await answeredCheck(context, request)
  const now = answered === null ? context.now : (context.observe?.now() ?? context.now)
  const row = answered === null ? request.row : await world.readByKey(verdictRowsNow, request.domain)
  const coverage = await cachedCoverage(world, now)
  const { sent, domain } = request
  const [mentions] = await readMentions(world, [{ sent, domain, stored: row }])
  const streams = request.namesStreams ? await readCheckedStreams(world, now) : undefined
  const observed = await observe(context, request, { row, answered, now })
  const charges = chargesOf(observed)
  const refresh = request.need === null ? undefined : (answered?.refresh ?? notCharged)
  const data = {
    ...unsentVerdict,
    checked: { ...checkedAt(coverage, now), ...(streams === undefined ? {} : { streams }) },
    billing: {
      ...billVerdicts(1, charges, request.maxCredits),
      ...(refresh === undefined ? {} : { refresh }),
    },
    ...(observed === null ? {} : { observations: observed }),
  }
  const written = writeVerdict(domain, row, JSON.stringify(mentions))
  return { data, written, charges, deliveredAt: now } satisfies Delivery<unknown>
}

async function answeredCheck(
  context: Context,
  { domain, need, ownCredits }: VerdictRequest,
): Promise<AnsweredCheck | null> {
  if (context.observe === null || need?.kind !== 'needed') return null
  return askForCheck(context, context.observe, { domain, freshAfter: need.freshAfter, ownCredits })
}

type Answer = { row: VerdictRow | undefined; answered: AnsweredCheck | null; now: Date }

/** null: no section is requested. After a check it reads the primary: a replica may lack its findings. */
async function observe(
  { world, logoUrl }: Context,
  { domain, sections, need }: VerdictRequest,
  { row, answered, now }: Answer,
): Promise<Observations | null> {
  if (sections.length === 0) return null
  const database = answered === null ? world.replica : world.database
  const observed = await observeDomain({ database, now, logoUrl }, domain, row ?? null, sections)
  const { meta } = observed
  return {
    ...observed,
    enrichment_run: enrichmentRun(need, answered),
    meta: {
      ...meta,
      served_from_cache: !(answered?.isNew ?? false),
      billable: answered?.refresh.status === 'charged',
    },
  }
}

function chargesOf(observed: Observations | null): Charge[] {
  const hasProfile = observed?.operator_launch_profile?.availability === 'available'
  return [charge('domain.verdict', 1), ...(hasProfile ? [charge('domain.operator_launch_profile', 1)] : [])]
}
