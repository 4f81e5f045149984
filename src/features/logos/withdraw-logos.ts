import { StaffError } from '../../core/staff-error.ts'
import type { World } from '../../database/open.ts'
import { requireReason, withFactsLock } from '../staff-decision-store.ts'
import { type LogoKind, logoKinds } from './kinds.ts'
import { findSubjectId, readImages, readShown, type ShownImage, withdraw } from './withdraw-store.ts'

export type Withdrawal = {
  kind: string
  slug: string
  /** Only images of this variant or theme, or this one stored file; absent: all of them. */
  variant?: string | undefined
  theme?: string | undefined
  file?: string | undefined
  reason: string
  now: Date
}

export type WithdrawalReport = {
  kind: string
  slug: string
  withdrawn: number
  files: string[]
  /** Which of the files go on being served, because another subject shows the same image. */
  still_shown: string[]
}

/**
 * Takes images of a subject back, those of the past as well: none is offered or redirected to any more, nor served unless
 * another subject or the demo world shows the same, and an import that brings one again does not bring it back unless it says
 * so. Fails with a StaffError for an unknown subject, and where there is nothing to withdraw.
 */
export async function withdrawLogos(world: World, withdrawal: Withdrawal): Promise<WithdrawalReport> {
  const { kind, slug, reason } = withdrawal
  requireReason(reason, 'Say why: the reason is kept with each image.')
  // An import weighs what it read with what is held: neither may change in between.
  return withFactsLock(world, async tx => {
    const subjectId = await requireSubject(tx, kind, slug)
    const files = await withdraw(tx, subjectId, withdrawal)
    if (files.length === 0) throw new StaffError(`${kind} ${slug} has no such image that is shown.`)
    const distinct = [...new Set(files)].sort()
    return {
      kind,
      slug,
      withdrawn: files.length,
      files: distinct,
      still_shown: await readShown(tx, distinct),
    }
  })
}

/** Every image of a subject, of whatever status, the latest first. */
export async function showLogos(world: World, kind: string, slug: string): Promise<ShownImage[]> {
  return readImages(world.database, await requireSubject(world.database, kind, slug))
}

async function requireSubject(database: World['database'], kind: string, slug: string): Promise<number> {
  if (!logoKinds.some(each => each === kind))
    throw new StaffError(`There is no kind ${kind}; it is one of ${logoKinds.join(', ')}.`)
  const id = await findSubjectId(database, kind as LogoKind, slug)
  if (id === undefined) throw new StaffError(`There is no ${kind} ${slug}; "/v1/logos/search" tells slugs.`)
  return id
}
