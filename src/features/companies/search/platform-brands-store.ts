import type { World } from '../../../database/open.ts'

type PlatformNames = { version: number; names: string[] | null }

/** Reads the names of reviewed platforms. `names` is null if the data still has the known version. */
export async function readPlatformNames(world: World, knownVersion: number | null): Promise<PlatformNames> {
  const [row] = await world.read<PlatformNames>({
    name: 'platform_names',
    text: `
      select dataset.version,
             case when dataset.version is distinct from $1::bigint
                  then array(
                    select spelling
                      from platforms platform,
                           unnest(array[platform.platform_key, platform.name] || platform.aliases) as spelling
                     where platform.reviewed_at is not null
                  )
             end as names
        from dataset_version dataset`,
    values: [knownVersion],
    genericPlan: true,
  })
  if (row === undefined) throw new Error('dataset_version has no row')
  return row
}
