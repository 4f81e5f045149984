import { type RawBuilder, sql } from 'kysely'
import type { Database, World } from '../../database/open.ts'
import type { LogoKind } from './kinds.ts'
import type { NameKey } from './name-key.ts'

/** Above this many matches the index is scanned by name. */
const sortedMatchesMax = 2_000

/** Exact matches, then prefix matches, then the rest. The first two ignore blanks. */
export async function findByName(
  { replica }: World,
  { folded, joined }: NameKey,
  kind: LogoKind | undefined,
  max: number,
): Promise<number[]> {
  const ofKind = kind === undefined ? sql`true` : sql`kind = ${kind}`
  const isEqual = sql`name_joined = ${joined} and ${ofKind}`
  const isPrefix = sql`
    name_joined like ${prefixPattern(joined)}
      and name_folded like ${prefixPattern([...folded][0] as string)}
      and ${ofKind}`
  const isPart = sql`name_folded like ${`%${prefixPattern(folded)}`} and ${ofKind}`
  const ids = new Set<number>()
  for (const condition of [isEqual, isPrefix, isPart]) {
    if (ids.size >= max) break
    for (const id of await readFirst(replica, condition, max)) ids.add(id)
  }
  return [...ids].slice(0, max)
}

async function readFirst(database: Database, condition: RawBuilder<unknown>, max: number): Promise<number[]> {
  const { rows } = await sql<{ id: number; matches: number }>`
    with matching as materialized (
      select id, name_folded, kind, slug
        from logo_subjects
       where ${condition}
       limit ${sortedMatchesMax}
    )
    select id, (select count(*) from matching) as matches
      from matching
     order by name_folded, kind, slug
     limit ${max}`.execute(database)
  if ((rows[0]?.matches ?? 0) < sortedMatchesMax) return rows.map(row => row.id)
  const { rows: first } = await sql<{ id: number }>`
    select id
      from logo_subjects
     where ${condition}
     order by name_folded, kind, slug
     limit ${max}`.execute(database)
  return first.map(row => row.id)
}

const prefixPattern = (text: string) => `${text.replaceAll(/[\\%_]/g, '\\$&')}%`
