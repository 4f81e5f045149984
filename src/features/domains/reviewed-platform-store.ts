import type { World } from '../../database/open.ts'

type ReviewedPlatform = { id: number; platform_key: string }

/** By key, name or alias, ignoring case. */
export async function findReviewedPlatform(
  world: World,
  name: string,
): Promise<ReviewedPlatform | undefined> {
  const [platform] = await world.read<ReviewedPlatform>({
    name: 'find_reviewed_platform',
    text: `
      select id, platform_key
        from platforms
       where reviewed_at is not null
         and (lower(platform_key) = $1 or lower(name) = $1
              or exists (select from unnest(aliases) as alias where lower(alias) = $1))
       order by lower(platform_key) = $1 desc, id
       limit 1`,
    values: [name.toLowerCase()],
  })
  return platform
}
