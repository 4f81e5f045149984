import { sql } from 'kysely'
import { dropEarlierLines } from '../stage/staging-store.ts'
import type { UpsertContext, UpsertResult } from './upsert-context.ts'

export async function upsertPlatforms({ tx, now }: UpsertContext): Promise<UpsertResult> {
  await dropEarlierLines(tx, 'staged_platforms', ['key'])
  const { rows } = await sql<UpsertResult>`
    with inserted as (
      insert into platforms (platform_key, name, aliases, reviewed_at)
      select staged.key, staged.name, staged.aliases, case when staged.reviewed then ${now}::timestamptz end
        from staged_platforms staged
       where not exists (select from platforms platform where platform.platform_key = staged.key)
       order by staged.key collate "C"
      returning id
    ),
    updated as (
      update platforms platform
         set name = staged.name,
             aliases = staged.aliases,
             reviewed_at = case staged.reviewed
                             when true then coalesce(platform.reviewed_at, ${now}::timestamptz)
                             when false then null
                             else platform.reviewed_at
                           end
        from staged_platforms staged
       where platform.platform_key = staged.key
         and (platform.name, platform.aliases, platform.reviewed_at is not null)
             is distinct from
             (staged.name, staged.aliases, coalesce(staged.reviewed, platform.reviewed_at is not null))
      returning platform.id
    )
    select (select count(*) from inserted) as added, (select count(*) from updated) as changed`.execute(tx)
  return rows[0] as UpsertResult
}
