import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import type { ProspectListRecord } from '../../features/prospect-lists/index.ts'

export type StagedList = ProspectListRecord & { position: number }

/** A result may be a megabyte. */
const listsAtOnce = 10

/**
 * Gives the lines without a key one of their own: what they say, and how many lines before them say the same. So a file
 * that is loaded twice changes nothing, and sixty lines alike are sixty lists.
 */
export async function nameStagedLists(tx: Transaction): Promise<void> {
  await sql`
    update staged_prospect_lists staged
       set key = 'line ' || said.digest || ' ' || said.number
      from (
        select position, digest, row_number() over (partition by digest order by position) as number
          from (
            select position,
                   md5(jsonb_build_array(account, cadence, status, requested_at, ready_at, result)::text) as digest
              from staged_prospect_lists
             where key is null
          ) unnamed
      ) said
     where said.position = staged.position`.execute(tx)
}

/** The lists of the files, in the order of their lines, a handful at a time. */
export async function* readStagedLists(tx: Transaction): AsyncGenerator<StagedList> {
  let after = 0
  for (;;) {
    const { rows } = await sql<StagedList>`
      select position, key, account, cadence, status, requested_at, ready_at, result
        from staged_prospect_lists
       where position > ${after}
       order by position
       limit ${listsAtOnce}`.execute(tx)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.position
  }
}
