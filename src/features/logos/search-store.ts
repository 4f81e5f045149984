import { type RawBuilder, sql } from 'kysely'
import type { Database, World } from '../../database/open.ts'
import type { LogoKind } from './kinds.ts'
import type { NameKey } from './name-key.ts'

/** Up to here what fits is read whole and put in order; past it, the names are walked in order until enough is found. */
const readWholeMax = 2_000

/**
 * The ids of the subjects whose name bears the fragment, in order: those that are called so, those that begin so (in both,
 * blanks do not count), and those that have it anywhere; then by name. At most so many.
 */
export async function findByName(
  { replica }: World,
  { folded, joined }: NameKey,
  kind: LogoKind | undefined,
  max: number,
): Promise<number[]> {
  const ofKind = kind === undefined ? sql`true` : sql`kind = ${kind}`
  const called = sql`name_joined = ${joined} and ${ofKind}`
  // The first letter says where in the order of names to walk.
  const begins = sql`
    name_joined like ${beginning(joined)} and name_folded like ${beginning([...folded][0] as string)} and ${ofKind}`
  const bears = sql`name_folded like ${`%${beginning(folded)}`} and ${ofKind}`
  const found = new Set<number>()
  for (const condition of [called, begins, bears]) {
    if (found.size >= max) break
    // Those of the tiers above fit this one as well.
    for (const id of await readFirst(replica, condition, max)) found.add(id)
  }
  return [...found].slice(0, max)
}

/**
 * The first so many in the order of names. What fits rarely is looked up and then put in order; of what fits often the first
 * come soon. Which it is turns out by looking it up as far as that pays.
 */
async function readFirst(database: Database, condition: RawBuilder<unknown>, max: number): Promise<number[]> {
  const { rows } = await sql<{ id: number; found: number }>`
    with found as materialized (
      select id, name_folded, kind, slug
        from logo_subjects
       where ${condition}
       limit ${readWholeMax}
    )
    select id, (select count(*) from found) as found
      from found
     order by name_folded, kind, slug
     limit ${max}`.execute(database)
  if ((rows[0]?.found ?? 0) < readWholeMax) return rows.map(row => row.id)
  const { rows: first } = await sql<{ id: number }>`
    select id
      from logo_subjects
     where ${condition}
     order by name_folded, kind, slug
     limit ${max}`.execute(database)
  return first.map(row => row.id)
}

/** A pattern for what begins with this text, whatever signs are in it. */
const beginning = (text: string) => `${text.replaceAll(/[\\%_]/g, '\\$&')}%`
