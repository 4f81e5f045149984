import type { Delivery, Static } from '../../core/operation.ts'
import type { Reads } from '../../database/open.ts'
import { charge } from '../../metering/pricing.ts'
import {
  type AnsweredCheck,
  askForCheck,
  type CheckNeed,
  notCharged,
  readCheckNeed,
} from '../enrichments/index.ts'
import { observedSectionNames } from '../observed-sections.ts'
import type { Context } from '../operation.ts'
import { receiptOf } from '../receipts/index.ts'
import { marketsInForce } from '../regimes/index.ts'
import { coverageOf, readWithStreams } from './checked-streams-store.ts'
import { cachedCoverage, type VerdictRow, verdictRows } from './domain-store.ts'
import { isEligible } from './launch-profile/licensees-store.ts'
import { readMentions } from './mentions-store.ts'
import { type Observations, observeDomain } from './observe-domain.ts'
import type { ObservationSection, observations } from './schemas.ts'
import { billVerdicts, checkedAt, type VerdictCharge, writeVerdict } from './verdict-members.ts'
import { readSigned } from './verdict-receipt.ts'

export type VerdictRequest = {
  domain: string
  /** The URL or host as sent, for the listings that name exactly it. */
  sent: string
  sections: readonly ObservationSection[]
  maxCredits: number | undefined
  /** The row that was quoted; undefined if nothing is stored about the domain, or if the answer is signed. */
  row: VerdictRow | undefined
  need: CheckNeed | null
  /** The ceiling in credits, without the check of the site. */
  ownCredits: number
  /** Is true if `checked` lists its streams. */
  namesStreams: boolean
  /** Is true if the answer has a receipt. */
  isSigned: boolean
}

/** Delivers a verdict. If a check of the site is needed, it waits for that first. */
export async function deliverVerdict(context: Context, request: VerdictRequest) {
  const { world } = context
  const answered = await answeredCheck(context, request)
  const now = answered === null ? context.now : (context.observe?.now() ?? context.now)
  const { sent, domain, namesStreams, isSigned } = request
  const readSite = async (reads: Reads) => {
    if (isSigned) {
      const { rows, mentions, evidence } = await readSigned(world, [{ sent, domain }])
      return { row: rows.get(domain), mentions: mentions[0], evidence }
    }
    const stored = reads === world ? request.row : await reads.readByKey(verdictRows, domain)
    const mentions = await readMentions(reads, [{ sent, domain, stored }])
    return { row: stored, mentions: mentions[0], evidence: null }
  }
  // After a check the primary is read, because a replica may lack its findings.
  const { result, streams } = namesStreams
    ? await readWithStreams(world, now, readSite)
    : { result: await readSite(answered === null ? world : world.primary), streams: undefined }
  const { row, mentions, evidence } = result
  const [coverage, regimes] = await Promise.all([
    streams === undefined ? cachedCoverage(world, now) : coverageOf(streams),
    marketsInForce(world, now),
  ])
  const observed = await observe(context, request, { row, answered, now })
  const charges = chargesOf(observed)
  const refresh = request.need === null ? undefined : (answered?.refresh ?? notCharged)
  const data = {
    checked: { ...checkedAt(coverage, now), ...(streams === undefined ? {} : { streams }) },
    billing: {
      ...billVerdicts(1, charges, request.maxCredits),
      ...(refresh === undefined ? {} : { refresh }),
    },
    ...(observed === null ? {} : { observations: observed }),
  }
  const written = writeVerdict(domain, row, JSON.stringify(mentions), regimes)
  const stated = regimes.describe(written.licensed_by, written.blocked_by)
  const isEmpty = coverage.registers + coverage.blocklists === 0
  const message = stated === null ? (isEmpty ? nothingLoaded : undefined) : `OK. ${stated}`
  const { verdict, licensed_by, blocked_by } = written
  const receipt = receiptOf(evidence, { members: { verdict, licensed_by, blocked_by } })
  return { data, message, written, charges, deliveredAt: now, ...receipt } satisfies Delivery<unknown>
}

const nothingLoaded = 'OK. No register or blocklist is loaded yet, so every domain is `no_record`.'

async function answeredCheck(
  context: Context,
  { domain, need, ownCredits }: VerdictRequest,
): Promise<AnsweredCheck | null> {
  if (context.observe === null || need?.kind !== 'needed') return null
  return askForCheck(context, context.observe, { domain, freshAfter: need.freshAfter, ownCredits })
}

type Answer = { row: VerdictRow | undefined; answered: AnsweredCheck | null; now: Date }

/**
 * Reads the requested sections; null without any. After a check it reads the primary, because a replica may
 * lack the findings.
 */
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

function chargesOf(observed: Observations | null): VerdictCharge[] {
  const hasProfile = observed?.operator_launch_profile?.availability === 'available'
  return [charge('domain.verdict', 1), ...(hasProfile ? [charge('domain.operator_launch_profile', 1)] : [])]
}

/** The sections for which a check of the site may find something (§4.12 rule 4). */
const checkedSections = new Set<ObservationSection>(['licenses', ...observedSectionNames])

type Wanted = {
  domain: string
  domainId: number | null
  sections: readonly ObservationSection[]
  maxAgeDays: number | undefined
}

/** Returns whether a check is needed; null without a maximum age, or if a check could find nothing. */
export async function checkNeedOf(
  context: Context,
  { domain, domainId, sections, maxAgeDays }: Wanted,
): Promise<CheckNeed | null> {
  if (maxAgeDays === undefined || sections.length === 0) return null
  const isChecked = sections.some(section => checkedSections.has(section))
  if (!isChecked && !(await isForEligibleProfile(context, domainId, sections))) return null
  return readCheckNeed(context, { domain, maxAgeDays })
}

async function isForEligibleProfile(
  { world: { database } }: Context,
  domainId: number | null,
  sections: readonly ObservationSection[],
): Promise<boolean> {
  return (
    domainId !== null &&
    sections.includes('operator_launch_profile') &&
    (await isEligible(database, domainId))
  )
}

type Run = NonNullable<Static<typeof observations>['enrichment_run']>

/** Describes the check of the site in the answer (§2.9). */
function enrichmentRun(need: CheckNeed | null, answered: AnsweredCheck | null): Run | null {
  if (answered !== null) {
    const { status, completedAt, enrichmentId } = answered
    return { status, completed_at: completedAt?.toISOString() ?? null, enrichment_id: enrichmentId }
  }
  switch (need?.kind) {
    case 'fresh':
      return { status: 'completed', completed_at: need.completedAt.toISOString(), enrichment_id: null }
    case 'not_available':
      return { status: 'not_available', completed_at: null, enrichment_id: null }
    default:
      return null
  }
}
