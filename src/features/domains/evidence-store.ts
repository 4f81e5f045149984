import { notLicensing } from '@baize/registers/entries'
import { instantText } from '../json-text-store.ts'
import { evidenceText, rowSha256, streamsGiven } from '../receipts/index.ts'
import type { VerdictRow } from './domain-store.ts'
import { factsNow, shownWith, type VerdictFacts } from './verdict-store.ts'
import { factsThen } from './verdicts-then-store.ts'

const authorisationSha256 = rowSha256({
  kind: `'authorisation'::text`,
  stream: 'authorisation.stream',
  record_key: 'authorisation.record_key',
  market: 'authorisation.market',
  domain: 'wanted.domain',
  published: 'authorisation.published',
  status: 'authorisation.status',
})

/** Selects the digest of a `license` with its open `state`. */
export const licenseSha256 = rowSha256({
  kind: `'license'::text`,
  stream: 'license.stream',
  record_key: 'license.record_key',
  jurisdiction: 'license.jurisdiction',
  license_number: 'state.license_number',
  license_type: 'state.license_type',
  status: 'state.status',
  issued_at: 'state.issued_at',
  expires_at: 'state.expires_at',
})

const entrySha256 = rowSha256({
  kind: `'blocklist_entry'::text`,
  stream: 'entry.stream',
  record_key: 'entry.record_key',
  regulator: 'entry.regulator',
  scope: 'entry.scope',
  domain: 'wanted.domain',
  published: 'entry.published',
  listed_at: instantText('entry.listed_at'),
})

const asked = `
    asked as (
      select * from unnest($1::text[], $2::text[], $3::text[], $4::text[])
                 as asked (domain, verdict, licensed_by, blocked_by)
    )`

/** An authorisation decided if the verdict in `wanted` has its element. */
const decidedBy = ({ authorisations, state, entries, basis = '' }: VerdictFacts) => `
    licensing as materialized (
      select ${authorisationSha256} as sha256, authorisation.stream, authorisation.record_key,
             license.id as license_id, license.stream as license_stream, license.record_key as license_key,
             ${licenseSha256} as license_sha256
        from wanted
       cross join lateral ${authorisations} authorisation
        left join licenses license on license.id = authorisation.license_id
        left join lateral ${state} state on true
       where wanted.verdict in ('licensed', 'mixed')
         and authorisation.known_to is null
         and authorisation.counts
         and (authorisation.status is null or authorisation.status <> all ($5::text[]))
         and (license.id is null or state.id is not null)
         and (state.status is null or state.status <> all ($5::text[]))
         and strpos(wanted.licensed_by, ${shownWith(basis)}) > 0
    ),
    decided as (
      select stream, record_key, sha256 from licensing
      union all
      select license_stream, license_key, license_sha256 from licensing where license_id is not null
      union all
      select entry.stream, entry.record_key, ${entrySha256}
        from wanted
       cross join lateral ${entries} entry
       where entry.known_to is null and entry.listed and not entry.withdrawn and entry.scope = 'domain'
    )`

const isAll = `exists (select from asked where coalesce(asked.verdict, 'no_record') = 'no_record')`

/** `offset 0` forces a look-up by index. */
const entriesByIndex = '(select * from blocklist_entries where domain_id = wanted.id offset 0)'

/**
 * Reads the rows behind verdicts that were read before: a license that ends today decides as long as the
 * stored verdict has it.
 */
export const verdictEvidence = {
  name: 'verdict_evidence',
  text: evidenceText(
    `${asked},
    wanted as materialized (
      select domain.id, domain.domain, domain.verdict, domain.licensed_by::text as licensed_by,
             domain.blocked_by::text as blocked_by
        from domains domain
       where domain.domain = any ($1::text[])
    ),${decidedBy({ ...factsNow, entries: entriesByIndex })}`,
    {
      isAll,
      isCurrent: `not exists (
           select from asked
             left join wanted using (domain)
            where (asked.verdict, asked.licensed_by, asked.blocked_by)
                  is distinct from (wanted.verdict, wanted.licensed_by, wanted.blocked_by)
         )`,
    },
  ),
}

/** Reads the rows behind verdicts of two times, as they were known when an event ($6) was committed. */
export const verdictEvidenceThen = {
  name: 'verdict_evidence_then',
  text: evidenceText(
    `${asked},
    wanted as materialized (
      select domain.id, asked.*, $6::bigint as event, $7::timestamptz as as_of
        from asked
        join domains domain using (domain)
    ),${decidedBy(factsThen)}`,
    { isAll, isCurrent: 'true', streams: streamsGiven('$8', '$9', '$10') },
  ),
}

type VerdictSide = 'verdict' | 'licensed_by' | 'blocked_by'

export function evidenceParameters(
  domains: readonly string[],
  rows: ReadonlyMap<string, Pick<VerdictRow, VerdictSide>>,
): unknown[] {
  const column = (name: VerdictSide) => domains.map(domain => rows.get(domain)?.[name] ?? null)
  return [domains, column('verdict'), column('licensed_by'), column('blocked_by'), [...notLicensing]]
}
