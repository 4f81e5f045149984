import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/open.ts'
import type { SearchSubject } from '../contract.ts'
import { longerFormsMax } from './similar-limits.ts'
import type { Piece } from './similar-words.ts'

export type WordsAsked = {
  /** Whether they stand in the vocabulary. */
  known: readonly string[]
  pieces: readonly (Piece & { of: string })[]
  beginnings: readonly string[]
  parts: readonly string[]
}

export type WordFound = { of: string; word: string; how: 'known' | 'piece' | 'beginning' | 'part' }

/**
 * Looks words up in the vocabulary. Words that an error lies between begin or end alike and are nearly as long, so every
 * look-up is a short range of an index; only the middle of a long word, and parts of words, ask the trigrams. `offset 0`
 * keeps each look-up one by itself: joined, the planner was seen to read a tenth of the words for every piece.
 */
export async function findWords(
  database: Database,
  subject: SearchSubject,
  { known, pieces, beginnings, parts }: WordsAsked,
): Promise<WordFound[]> {
  const of = (where: Piece['where']) => {
    const asked = pieces.filter(piece => piece.where === where)
    return sql`
      unnest(${asked.map(piece => piece.of)}::text[], ${asked.map(piece => piece.text)}::text[],
             ${asked.map(piece => piece.lengthMin)}::int[], ${asked.map(piece => piece.lengthMax)}::int[])
        as piece (word, text, length_min, length_max)`
  }
  const { rows } = await sql<WordFound>`
    select word as of, word, 'known' as how
      from search_words
     where subject = ${subject} and word = any (${[...known]}::text[])
    union all
    select piece.word, found.word, 'piece'
      from ${of('beginning')}
     cross join generate_series(piece.length_min, piece.length_max) as length
     cross join lateral (
       select held.word
         from search_words held
        where held.subject = ${subject}
          and char_length(held.word) = length
          and held.word >= piece.text
          and held.word < piece.text || ${afterAll}
       offset 0
     ) found
    union all
    select piece.word, found.word, 'piece'
      from ${of('end')}
     cross join generate_series(piece.length_min, piece.length_max) as length
     cross join lateral (
       select held.word
         from search_words held
        where held.subject = ${subject}
          and char_length(held.word) = length
          and (reverse(held.word) collate "C") >= reverse(piece.text)
          and (reverse(held.word) collate "C") < reverse(piece.text) || ${afterAll}
       offset 0
     ) found
    union all
    select piece.word, found.word, 'piece'
      from ${of('part')}
     cross join lateral (${wordsWith(subject, sql`piece.text`)}) found
     where char_length(found.word) between piece.length_min and piece.length_max
    union all
    select asked.word, longer.word, 'beginning'
      from unnest(${[...beginnings]}::text[]) as asked (word)
     cross join lateral (
       select held.word
         from search_words held
        where held.subject = ${subject}
          and held.word > asked.word
          and held.word < asked.word || ${afterAll}
        order by char_length(held.word), held.word
        limit ${longerFormsMax}
     ) longer
    union all
    select asked.word, longer.word, 'part'
      from unnest(${[...parts]}::text[]) as asked (word)
     cross join lateral (
       select found.word
         from (${wordsWith(subject, sql`asked.word`)}) found
        where found.word <> asked.word
        order by char_length(found.word), found.word
        limit ${longerFormsMax}
     ) longer`.execute(database)
  return rows
}

/** By trigrams, whatever is asked of them besides: `offset 0` keeps the planner from walking another index for that. */
const wordsWith = (subject: SearchSubject, part: RawBuilder<unknown>) => sql`
  select part.word from search_words part where part.subject = ${subject} and part.word like '%' || ${part} || '%' offset 0`

/** Sorts behind every character that a word can have. */
const afterAll = sql.lit('\u{10ffff}')
