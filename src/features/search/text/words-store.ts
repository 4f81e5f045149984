import { type RawBuilder, sql } from 'kysely'
import type { World } from '../../../database/open.ts'
import type { SearchSubject } from '../contract.ts'
import type { WordPiece } from './similar-words.ts'
import { candidatesMax, longerFormsMax, partsScannedMax } from './similar-words.ts'

/**
 * Looks up words. Words one error apart share a beginning or end, so each lookup is a short index range.
 * `limit` prevents the planner from joining the lookups, which once read a tenth of the vocabulary for
 * each. It also bounds what Node compares: half of a vocabulary of domains can share a beginning.
 */

export type WordQueries = {
  words: readonly string[]
  pieces: readonly (WordPiece & { of: string })[]
  beginnings: readonly string[]
  parts: readonly string[]
}

export type WordMatch = { of: string; word: string; how: 'known' | 'piece' | 'beginning' | 'part' }

/** Uses a generic plan: planning the statement takes longer than running it. */
export async function findWords(
  world: World,
  subject: SearchSubject,
  { words, pieces, beginnings, parts }: WordQueries,
): Promise<WordMatch[]> {
  const { sql: text, parameters } = sql`
    select word as of, word, 'known' as how
      from search_words
     where subject = ${subject} and word = any (${[...words]}::text[])
    union all
    ${wordsWithPiece(subject, pieces)}
    union all
    ${longerWords(subject, beginnings, parts)}`.compile(world.searches)
  return world.search<WordMatch>(text, parameters)
}

function wordsWithPiece(subject: SearchSubject, pieces: WordQueries['pieces']): RawBuilder<unknown> {
  const of = (where: WordPiece['where']) => {
    const wanted = pieces.filter(piece => piece.where === where)
    return sql`
      unnest(${wanted.map(piece => piece.of)}::text[], ${wanted.map(piece => piece.text)}::text[],
             ${wanted.map(piece => piece.lengthMin)}::int[], ${wanted.map(piece => piece.lengthMax)}::int[])
        as piece (word, text, length_min, length_max)`
  }
  return sql`
    select piece.word, found.word, 'piece'
      from ${of('beginning')}
     cross join generate_series(piece.length_min, piece.length_max) as length
     cross join lateral (
       select stored.word
         from search_words stored
        where stored.subject = ${subject}
          and char_length(stored.word) = length
          and stored.word >= piece.text
          and stored.word < piece.text || ${lastCharacter}
        limit ${sql.lit(candidatesMax)}
     ) found
    union all
    select piece.word, found.word, 'piece'
      from ${of('end')}
     cross join generate_series(piece.length_min, piece.length_max) as length
     cross join lateral (
       select stored.word
         from search_words stored
        where stored.subject = ${subject}
          and char_length(stored.word) = length
          and (reverse(stored.word) collate "C") >= reverse(piece.text)
          and (reverse(stored.word) collate "C") < reverse(piece.text) || ${lastCharacter}
        limit ${sql.lit(candidatesMax)}
     ) found
    union all
    select piece.word, found.word, 'piece'
      from ${of('part')}
     cross join lateral (${wordsContaining(
       subject,
       sql`piece.text`,
       sql`
       and length(part.word) between piece.length_min and piece.length_max`,
     )}) found`
}

function longerWords(
  subject: SearchSubject,
  beginnings: readonly string[],
  parts: readonly string[],
): RawBuilder<unknown> {
  return sql`
    select typed.word, longer.word, 'beginning'
      from unnest(${[...beginnings]}::text[]) as typed (word)
     cross join lateral (
       select stored.word
         from search_words stored
        where stored.subject = ${subject}
          and stored.word > typed.word
          and stored.word < typed.word || ${lastCharacter}
        order by char_length(stored.word), stored.word
        limit ${longerFormsMax}
     ) longer
    union all
    select typed.word, longer.word, 'part'
      from unnest(${[...parts]}::text[]) as typed (word)
     cross join lateral (
       select found.word
         from (${wordsContaining(subject, sql`typed.word`)}) found
        where found.word <> typed.word
        order by char_length(found.word), found.word
        limit ${longerFormsMax}
     ) longer`
}

/**
 * Selects words that contain a part. `limit` prevents a scan of another index for the outer conditions, as
 * `length` does: that index has `char_length`. The subject is in the text, because each has its own index.
 */
const wordsContaining = (subject: SearchSubject, part: RawBuilder<unknown>, condition = sql``) => sql`
  select part.word
    from search_words part
   where part.subject = ${sql.lit(subject)} and part.word like '%' || ${part} || '%' ${condition}
   limit ${sql.lit(partsScannedMax)}`

const lastCharacter = sql.lit('\u{10ffff}')

/**
 * Reads common words from PostgreSQL's statistics, which omit words of under a row in a thousand. Is null
 * if the table was never analysed.
 */
export async function readCommonWords({ replica }: World, subject: SearchSubject, rowsMin: number) {
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
