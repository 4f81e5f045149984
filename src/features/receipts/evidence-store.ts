import { Failure } from '../../core/failure.ts'
import type { Reads } from '../../database/open.ts'
import { instantOrNull, textOrNull } from '../json-text-store.ts'

/** JSON text: the evidence of an answer, and the last numbers at that moment. */
export type Evidence = { evidence: string; position: string }

/**
 * Writes a row as published, in the form of RFC 8785, and selects its SHA-256. Each member has the SQL of a
 * text, or of JSON if `isJson` names it.
 */
export function rowSha256(members: Readonly<Record<string, string>>): string {
  const written = Object.entries(members)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `'"${name}":' || ${textOrNull(value)}::text`)
  return `encode(sha256(convert_to('{' || ${written.join(` || ',' || `)} || '}', 'UTF8')), 'hex')`
}

const streamsNow = `(
      select source.stream, source.last_taken_at, snapshot.snapshot_ref, snapshot.files
        from register_streams source
        left join register_snapshots snapshot
          on snapshot.stream = source.stream and snapshot.number = source.snapshot_number
       where source.last_taken_at is not null
    )`

/** A FROM item of the streams that parameters list: their keys, when they were read, and their snapshots. */
export const streamsGiven = (keys: string, takenAt: string, refs: string) => `(
      select source.stream, source.last_taken_at, source.snapshot_ref, snapshot.files
        from unnest(${keys}::text[], ${takenAt}::timestamptz[], ${refs}::text[])
               as source (stream, last_taken_at, snapshot_ref)
        left join register_snapshots snapshot using (snapshot_ref)
    )`

type EvidenceOf = { isAll: string; isCurrent: string; streams?: string }

/**
 * Returns a statement that reads the evidence of an answer at one moment, with the rows of the query
 * `decided (stream, record_key, sha256)`. `isAll` is the condition for every stream; without it only streams
 * that decided are listed. `isCurrent` tests that the answer is of this moment.
 */
export const evidenceText = (ctes: string, { isAll, isCurrent, streams = streamsNow }: EvidenceOf) => `
  with ${ctes},
  rows_of as (
    select stream,
           string_agg('[' || to_json(record_key)::text || ',"' || sha256 || '"]', ','
                      order by record_key collate "C", sha256) as rows
      from (select distinct stream, record_key, sha256 from decided) decided
     group by stream
  )
  select (${isCurrent}) as is_current,
         '{"signals":' || (select last_number from signal_sequence)
           || ',"verdict_changes":' || (select coalesce(max(number), 0) from verdict_changes)
           || '}' as position,
         '[' || coalesce(string_agg(
           '{"stream":' || to_json(named.stream)::text
             || ',"snapshot_ref":' || ${textOrNull('named.snapshot_ref')}::text
             || ',"taken_at":' || ${instantOrNull('named.last_taken_at')}
             || ',"files":' || coalesce((
                  select '[' || string_agg(to_json(file.value ->> 'sha256')::text, ','
                                           order by file.ordinality) || ']'
                    from jsonb_array_elements(named.files) with ordinality file
                ), '[]')
             || ',"rows":[' || coalesce(named.rows, '') || ']}',
           ',' order by named.stream collate "C"), '') || ']' as evidence
    from (
      select coalesce(source.stream, rows_of.stream) as stream, source.last_taken_at, source.snapshot_ref,
             source.files, rows_of.rows
        from ${streams} source
        full join rows_of using (stream)
       where rows_of.stream is not null or (${isAll})
    ) named`

type EvidenceRow = Evidence & { is_current: boolean }

const readingsMax = 5

/**
 * Reads an answer and its evidence of one moment. If facts changed between, both are read again. `reads`
 * must be the primary, because the evidence would otherwise be older than the answer.
 */
export async function readWithEvidence<Result>(
  reads: Reads,
  statement: { name: string; text: string },
  read: () => Promise<{ result: Result; values: unknown[] }>,
): Promise<{ result: Result; evidence: Evidence }> {
  for (let reading = 1; reading <= readingsMax; reading += 1) {
    const { result, values } = await read()
    const [row] = await reads.read<EvidenceRow>({ ...statement, values })
    if (row?.is_current === true)
      return { result, evidence: { evidence: row.evidence, position: row.position } }
  }
  throw new Failure('service_unavailable')
}
