import type { PointRead } from '@baize/postgres'
import { instantText } from '../json-text-store.ts'
import { type EvidenceRow, evidenceText, factsJson, stateNow, streamsGiven } from '../receipts/index.ts'
import { type VerdictRow, verdictColumns, withCompany } from './domain-store.ts'
import { factsNow, shownWith, statusesNotLicensing, type VerdictFacts } from './verdict-store.ts'
import { factsThen } from './verdicts-then-store.ts'

const authorisationFact = `json_build_object(
           'kind', 'authorisation', 'stream', authorisation.stream, 'record_key', authorisation.record_key,
           'market', authorisation.market, 'domain', wanted.domain, 'published', authorisation.published,
           'status', authorisation.status)`

/** Selects a `license` with its open `state`. */
export const licenseFact = `json_build_object(
           'kind', 'license', 'stream', license.stream, 'record_key', license.record_key,
           'jurisdiction', license.jurisdiction, 'license_number', state.license_number,
           'license_type', state.license_type, 'status', state.status, 'issued_at', state.issued_at,
           'expires_at', state.expires_at)`

const entryFact = `json_build_object(
           'kind', 'blocklist_entry', 'stream', entry.stream, 'record_key', entry.record_key,
           'regulator', entry.regulator, 'scope', entry.scope, 'domain', wanted.domain,
           'published', entry.published, 'listed_at', ${instantText('entry.listed_at')})`

/** A FROM item of the rows behind the verdict of `wanted`. An authorisation counts if its element is shown. */
const decidedBy = ({ authorisations, state, entries, basis = '' }: VerdictFacts) => `(
      select fact
        from ${authorisations} authorisation
        left join licenses license on license.id = authorisation.license_id
        left join lateral ${state} state on true
       cross join lateral (
         values (${authorisationFact}), (case when license.id is not null then ${licenseFact} end)
       ) published (fact)
       where wanted.verdict in ('licensed', 'mixed')
         and fact is not null
         and authorisation.known_to is null
         and authorisation.counts
         and (authorisation.status is null or authorisation.status <> all (${statusesNotLicensing}))
         and (license.id is null or state.id is not null)
         and (state.status is null or state.status <> all (${statusesNotLicensing}))
         and strpos(wanted.licensed_by::text, ${shownWith(basis)}) > 0
      union all
      select ${entryFact}
        from ${entries} entry
       where entry.known_to is null and entry.listed and not entry.withdrawn and entry.scope = 'domain'
    )`

/** `offset 0` forces a look-up by index. */
const entriesByIndex = '(select * from blocklist_entries where domain_id = wanted.id offset 0)'

export type SignedVerdictRow = EvidenceRow & { asked: string } & (VerdictRow | { id: null })

/**
 * Reads verdicts with the rows behind them at one moment: a license that ends today decides as long as the
 * stored verdict has it. A domain without a row has a null `id`.
 */
export const signedVerdictRows: PointRead<SignedVerdictRow> = {
  name: 'signed_verdict_rows',
  text: `
    select asked.domain as asked, ${verdictColumns}, state.event, state.position, state.kid,
           ${factsJson(decidedBy({ ...factsNow, entries: entriesByIndex }))} as decided
      from ${stateNow} state
     cross join unnest($1::text[]) as asked (domain)
      left join lateral (select * from domains where domain = asked.domain offset 0) domain on true
     cross join lateral (
       select domain.id, domain.domain, domain.verdict, domain.licensed_by
     ) wanted
      ${withCompany}`,
  keyOf: row => row.asked,
}

/** Reads the rows behind verdicts of two times, as they were known when an event ($5) was committed. */
export const verdictEvidenceThen = {
  name: 'verdict_evidence_then',
  text: evidenceText(
    `wanted as materialized (
      select domain.id, asked.*, $4::bigint as event, $5::timestamptz as as_of
        from unnest($1::text[], $2::text[], $3::text[]) as asked (domain, verdict, licensed_by)
        join domains domain using (domain)
    ),
    decided as (select each.* from wanted cross join lateral ${decidedBy(factsThen)} each)`,
    streamsGiven('$6', '$7', '$8'),
  ),
}
