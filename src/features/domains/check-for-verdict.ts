import type { Static } from '../../core/operation.ts'
import { type AnsweredCheck, type CheckNeed, readCheckNeed } from '../enrichments/index.ts'
import type { Context } from '../operation.ts'
import { isEligible } from './operator-context-store.ts'
import type { ObservationSection, observations } from './schemas.ts'

/** Sections that a check of the site may find something for (§4.12 rule 4). */
const checkedSections = new Set<ObservationSection>([
  'licenses',
  'payment_methods',
  'supplier_brands',
  'affiliate_programs',
  'geo',
  'related_domains',
])

type Wanted = {
  domain: string
  domainId: number | null
  sections: readonly ObservationSection[]
  maxAgeDays: number | undefined
}

/** null: the request is not about evidence of a certain age, or nothing that a check could find. */
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

/** What the answer says of the check: its run (§2.9), and whether what follows is new and costs something. */
export function enrichmentRun(need: CheckNeed | null, answered: AnsweredCheck | null): Run | null {
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
