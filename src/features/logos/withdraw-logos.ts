import { isLockTimeout } from '../../database/errors.ts'
import type { World } from '../../database/open.ts'
import { lockFacts } from '../../journal/index.ts'
import { StaffError } from '../account/index.ts'
import { type LogoKind, logoKinds } from './kinds.ts'
import { findSubjectId, readImages, readShown, type ShownImage, withdraw } from './withdraw-store.ts'

const reasonCharactersMax = 500

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
 * another subject or the demo world shows the same, and an import that brings one again does not bring it back unless it says so. Fails with a StaffError for an unknown subject, and where
 * there is nothing to withdraw.
 */
export async function withdrawLogos(world: World, withdrawal: Withdrawal): Promise<WithdrawalReport> {
  const { kind, slug, reason } = withdrawal
  if (reason.trim() === '') throw new StaffError('Say why: the reason is kept with each image.')
  if (reason.length > reasonCharactersMax)
    throw new StaffError(`A reason has at most ${reasonCharactersMax} characters.`)
  try {
    return await world.database.transaction().execute(async tx => {
      // An import weighs what it read with what is held: neither may change in between.
      await lockFacts(tx)
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
  } catch (error) {
    if (!isLockTimeout(error)) throw error
    const told = 'A register sync or an import is writing; nothing was changed, try again when it is done.'
    throw new StaffError(told, { cause: error })
  }
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
