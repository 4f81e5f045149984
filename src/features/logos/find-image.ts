import { nameOfDomain } from '@baize/images'
import { slugOf } from '@baize/names'
import type { World } from '../../database/open.ts'
import { type ImageChoice, readImageOfSite, readImageOfSubject } from './find-image-store.ts'
import type { LogoKind } from './kinds.ts'
import { nameKey } from './name-key.ts'

/** The image of a subject. If `file_name` is null, a monogram of the name is drawn. */
export type FoundImage = { name: string; file_name: string | null }

export async function findImageOfSite(
  world: World,
  domain: string,
  choice: ImageChoice,
): Promise<FoundImage> {
  const image = await readImageOfSite(world.replica, domain, choice)
  return image ?? { name: nameOfDomain(domain), file_name: null }
}

export async function findImageOfSubject(
  world: World,
  kind: LogoKind,
  name: string,
  choice: ImageChoice,
): Promise<FoundImage> {
  const slug = slugOf(name)
  const image =
    (await readImageOfSubject(world.replica, kind, { slug }, choice)) ??
    (await readImageOfSubject(world.replica, kind, { folded: nameKey(name).folded }, choice))
  return image ?? { name: slug === name ? name.replaceAll('-', ' ') : name, file_name: null }
}
