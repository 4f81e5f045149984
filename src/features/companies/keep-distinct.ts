import { StaffError } from '../../core/staff-error.ts'
import type { World } from '../../database/open.ts'
import { recordEvent } from '../../journal/index.ts'
import { type Actor, recordAuditEvent } from '../audit/index.ts'
import { changeCompanies, refOfIdentities, requireActive } from './change-companies.ts'
import { type Identity, readIdentities } from './company-store.ts'
import { writeDistinction } from './linking/distinctions-store.ts'

type Distinction = { one: string; other: string; reason: string; now: Date; by?: Actor }

/** Remembers that two Companies are different parties, so that no sync links them and no list names them. */
export function keepDistinct(world: World, { one, other, reason, now, by }: Distinction): Promise<void> {
  return changeCompanies(world, reason, async tx => {
    if (one === other) throw new StaffError('Name two Companies.')
    const [left, right] = [await requireActive(tx, one), await requireActive(tx, other)]
    await writeDistinction(tx, { one: left.id, other: right.id, reason, now })
    const detail: DistinctDetail = {
      one: await readIdentities(tx, left.id),
      other: await readIdentities(tx, right.id),
      reason,
    }
    await recordEvent(tx, { kind: 'distinct', at: now, detail })
    const event = { action: 'company.distinct', subject: one, accountId: null, now }
    await recordAuditEvent(tx, by, { ...event, details: { other, reason } })
  })
}

type DistinctDetail = { one: Identity[]; other: Identity[]; reason: string }

export async function replayDistinct(world: World, detail: DistinctDetail, at: Date): Promise<void> {
  const [one, other] = [await refOfIdentities(world, detail.one), await refOfIdentities(world, detail.other)]
  await keepDistinct(world, { one, other, reason: detail.reason, now: at })
}
