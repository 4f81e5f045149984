import { slugOf } from '../../core/slug.ts'
import type { World } from '../../database/open.ts'
import { type ImageChoice, readImageOfSite, readImageOfSubject } from './find-image-store.ts'
import type { LogoKind } from './kinds.ts'
import { nameOfDomain, nameOfSlug } from './monogram.ts'
import { nameKey } from './name-key.ts'

/** The stored file that was asked for; null: there is none, and the name is what is left to draw. */
export type FoundImage = { name: string; file_name: string | null }

/** The image of a site, by its registrable domain: that of the brand that it shows. */
export async function findImageOfSite(
  world: World,
  domain: string,
  choice: ImageChoice,
): Promise<FoundImage> {
  const found = await readImageOfSite(world.replica, domain, choice)
  return found ?? { name: nameOfDomain(domain), file_name: null }
}

/** The image of a subject. A name in place of its slug is as good. */
export async function findImageOfSubject(
  world: World,
  kind: LogoKind,
  name: string,
  choice: ImageChoice,
): Promise<FoundImage> {
  const slug = slugOf(name)
  const found =
    (await readImageOfSubject(world.replica, kind, { slug }, choice)) ??
    (await readImageOfSubject(world.replica, kind, { folded: nameKey(name).folded }, choice))
  return found ?? { name: slug === name ? nameOfSlug(name) : name, file_name: null }
}
