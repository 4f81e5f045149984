import type { Stream } from '@baize/registers'
import { sql } from 'kysely'
import type { Database } from '../../database/open.ts'
import { kindOf, publishedFields } from '../published-fields.ts'

/** Copies the facts of streams, because the coverage reads streams only from the database. */
export async function writeFacts(database: Database, streams: readonly Stream[]): Promise<void> {
  await sql`
    insert into register_facts (stream, market, kind, official_url, resolve, format, language, layout,
                                layout_recorded_at, publishes, cadence_words, cadence_hours, terms, sources)
    select stream, market, kind, official_url, resolve, format, language, layout, layout_recorded_at,
           array(select jsonb_array_elements_text(publishes)), cadence_words, cadence_hours, terms, sources
      from jsonb_to_recordset(${JSON.stringify(streams.map(rowOf))}::jsonb) as known (
             stream text, market text, kind text, official_url text, resolve text, format text, language text,
             layout text, layout_recorded_at date, publishes jsonb, cadence_words text, cadence_hours integer,
             terms text, sources jsonb
           )
    on conflict (stream) do update
       set market = excluded.market,
           kind = excluded.kind,
           official_url = excluded.official_url,
           resolve = excluded.resolve,
           format = excluded.format,
           language = excluded.language,
           layout = excluded.layout,
           layout_recorded_at = excluded.layout_recorded_at,
           publishes = excluded.publishes,
           cadence_words = excluded.cadence_words,
           cadence_hours = excluded.cadence_hours,
           terms = excluded.terms,
           sources = excluded.sources
     where (register_facts.*) is distinct from (excluded.*)`.execute(database)
}

/** Deletes facts of streams that no longer exist. */
export async function dropOtherFacts(database: Database, streams: readonly Stream[]): Promise<void> {
  const keys = streams.map(stream => stream.key)
  await sql`delete from register_facts where stream <> all (${keys}::text[])`.execute(database)
}

function rowOf({ key, market, covers, officialUrl, official, format, publishes, cadence }: Stream) {
  return {
    stream: key,
    market,
    kind: kindOf(covers),
    official_url: officialUrl,
    resolve: official.files[0]?.resolve.by ?? null,
    format,
    language: official.language,
    layout: official.layout,
    layout_recorded_at: official.layoutRecordedAt,
    publishes: publishedFields(publishes),
    cadence_words: cadence.words,
    cadence_hours: cadence.hours,
    terms: official.terms,
    sources: official.sources,
  }
}
