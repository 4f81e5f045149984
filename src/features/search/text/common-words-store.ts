import { sql } from 'kysely'
import type { World } from '../../../database/open.ts'
import type { SearchSubject } from '../contract.ts'

/** By PostgreSQL's statistics, which omit words of under a row in a thousand. null: never analysed. */
export async function readCommonWords(
  { replica }: World,
  subject: SearchSubject,
  rowsMin: number,
): Promise<string[] | null> {
  const { rows } = await sql<{ words: string[] }>`
    select array(
             select common.word
               from unnest(sampled.most_common_elems::text::text[], sampled.most_common_elem_freqs)
                      as common (word, share)
              where common.word is not null
                and common.share * class.reltuples >= ${rowsMin}
           ) as words
      from pg_stats sampled
      join pg_class class on class.oid = to_regclass(format('%I.%I', sampled.schemaname, sampled.tablename))
     where sampled.schemaname = current_schema()
       and sampled.tablename = ${`${subject}_search`}
       and sampled.attname = 'document'`.execute(replica)
  return rows[0]?.words ?? null
}
