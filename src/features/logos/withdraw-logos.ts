import { StaffError } from '../../core/staff-error.ts'
import type { World } from '../../database/open.ts'
import { type Actor, recordAuditEvent } from '../audit/index.ts'
import { requireReason, withFactsLock } from '../staff-decision-store.ts'
import { type LogoKind, logoKinds } from './kinds.ts'
import { findSubjectId, readImages, readShown, type ShownImage, withdraw } from './withdraw-store.ts'

type Withdrawal = {
  kind: string
  slug: string
  variant?: string | undefined
  theme?: string | undefined
  file?: string | undefined
  reason: string
  now: Date
  by?: Actor
}

export type WithdrawalReport = {
  kind: string
  slug: string
  withdrawn: number
  files: string[]
  still_shown: string[]
}

/**
 * Withdraws the images of a subject. A later import restores one only with `status: current`. The file is
 * still served for other subjects. Fails with a StaffError for an unknown subject, and if no image matches.
 */
export async function withdrawLogos(world: World, withdrawal: Withdrawal): Promise<WithdrawalReport> {
  const { kind, slug, reason, now, by } = withdrawal
  requireReason(reason, 'State a reason. It is stored with each image.')
  // The lock lets no import run at the same time.
  return withFactsLock(world, async tx => {
    const subjectId = await requireSubject(tx, kind, slug)
    const files = await withdraw(tx, subjectId, withdrawal)
    if (files.length === 0) throw new StaffError(`${kind} ${slug} has no matching image to withdraw.`)
    const distinct = [...new Set(files)].sort()
    const event = { action: 'logo.withdrawn', subject: `${kind}/${slug}`, accountId: null, now }
    await recordAuditEvent(tx, by, { ...event, details: { files: distinct, reason } })
    return {
      kind,
      slug,
      withdrawn: files.length,
      files: distinct,
      still_shown: await readShown(tx, distinct),
    }
  })
}

export async function showLogos(world: World, kind: string, slug: string): Promise<ShownImage[]> {
  return readImages(world.database, await requireSubject(world.database, kind, slug))
}

async function requireSubject(database: World['database'], kind: string, slug: string): Promise<number> {
  if (!logoKinds.some(each => each === kind))
    throw new StaffError(`Unknown kind ${kind}. It must be one of ${logoKinds.join(', ')}.`)
  const id = await findSubjectId(database, kind as LogoKind, slug)
  if (id === undefined) throw new StaffError(`There is no ${kind} ${slug}. GET /v1/logos/search lists slugs.`)
  return id
}
