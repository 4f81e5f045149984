import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import type { ProspectListRecord } from '../../features/prospect-lists/index.ts'

type StagedList = ProspectListRecord & { position: number }

/** The number is low, because a result may have a megabyte. */
const listsAtOnce = 10

/**
 * Gives lines without a key one of their content and a running number, so that sixty identical lines are
 * sixty lists.
 */
export async function nameStagedLists(tx: Transaction): Promise<void> {
  await sql`
    update staged_prospect_lists staged
       set key = 'line ' || numbered.digest || ' ' || numbered.number
      from (
        select position, digest, row_number() over (partition by digest order by position) as number
          from (
            select position,
                   md5(jsonb_build_array(account, cadence, status, requested_at, ready_at, result)::text)
                     as digest
              from staged_prospect_lists
             where key is null
          ) unnamed
      ) numbered
     where numbered.position = staged.position`.execute(tx)
}

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
