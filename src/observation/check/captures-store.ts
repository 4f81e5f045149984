import type { Capture } from '@baize/site-reader'
import { sql } from 'kysely'
import type { Database, Transaction } from '../../database/open.ts'

/** A capture whose body is a stored file, named by its hash. */
export type StoredCapture = Omit<Capture, 'body'> & { bodyHash: Buffer | null }

/** Returns the ids in the order of the captures. */
export async function insertCaptures(
  tx: Transaction,
  checkId: number,
  captures: readonly StoredCapture[],
): Promise<number[]> {
  const lines = captures.map((capture, position) => ({
    position,
    kind: capture.kind,
    purpose: capture.purpose,
    url: capture.url,
    final_url: capture.finalUrl,
    status: capture.status,
    headers: capture.headers,
    facts: {
      failure: capture.failure,
      redirect_chain: capture.redirectChain,
      certificate: capture.certificate,
    },
    body_hash: capture.bodyHash === null ? null : `\\x${capture.bodyHash.toString('hex')}`,
    truncated: capture.truncated,
    seen_at: capture.seenAt,
  }))
  const { rows } = await sql<{ id: number }>`
    insert into site_captures
      (check_id, position, kind, purpose, url, final_url, status, headers, facts, body_hash, truncated,
       seen_at)
    select ${checkId}, position, kind, purpose, url, final_url, status, headers, facts, body_hash, truncated,
           seen_at
      from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as line (
        position int, kind text, purpose text, url text, final_url text, status int, headers jsonb,
        facts jsonb, body_hash bytea, truncated boolean, seen_at timestamptz
      )
     order by position
    returning id`.execute(tx)
  return rows.map(row => row.id)
}

type CaptureRow = Pick<Capture, 'kind' | 'purpose' | 'url' | 'status' | 'headers' | 'truncated'> & {
  id: number
  final_url: string | null
  facts: {
    failure: Capture['failure']
    redirect_chain: string[]
    certificate:
      | (Omit<NonNullable<Capture['certificate']>, 'validFrom' | 'validTo'> & {
          validFrom: string
          validTo: string
        })
      | null
  }
  body_hash: Buffer | null
  seen_at: Date
}

export async function readStoredCaptures(
  database: Database,
  checkId: number,
): Promise<(StoredCapture & { id: number })[]> {
  const { rows } = await sql<CaptureRow>`
    select id, kind, purpose, url, final_url, status, headers, facts, body_hash, truncated, seen_at
      from site_captures
     where check_id = ${checkId}
     order by position`.execute(database)
  return rows.map(({ id, kind, purpose, url, status, headers, truncated, facts, ...row }) => ({
    id,
    kind,
    purpose,
    url,
    finalUrl: row.final_url,
    status,
    headers,
    bodyHash: row.body_hash,
    truncated,
    failure: facts.failure,
    redirectChain: facts.redirect_chain,
    certificate:
      facts.certificate === null
        ? null
        : {
            ...facts.certificate,
            validFrom: new Date(facts.certificate.validFrom),
            validTo: new Date(facts.certificate.validTo),
          },
    seenAt: row.seen_at,
  }))
}

export type ShownCapture = {
  url: string
  final_url: string | null
  status: number | null
  failure: string | null
  redirects: number
  /** The issuer and end of the certificate; null without encryption. */
  certificate: string | null
  body_sha256: string | null
  seen_at: Date
  kind: Capture['kind']
}

/** Lists what a check received, for staff. */
export async function listCaptures(database: Database, checkId: number): Promise<ShownCapture[]> {
  const captures = await readStoredCaptures(database, checkId)
  return captures.map(
    ({ kind, url, finalUrl, status, failure, redirectChain, certificate, bodyHash, seenAt }) => ({
      url,
      final_url: finalUrl === url ? null : finalUrl,
      status,
      failure: failure === null ? null : `${failure.reason}: ${failure.message}`,
      redirects: Math.max(0, redirectChain.length - 1),
      certificate:
        certificate === null
          ? null
          : `${certificate.issuer ?? 'unnamed'} until ${certificate.validTo.toISOString().slice(0, 10)}`,
      body_sha256: bodyHash?.toString('hex').slice(0, 12) ?? null,
      seen_at: seenAt,
      kind,
    }),
  )
}

const checksAtOnceMax = 200

/**
 * Deletes the captures of checks that ended before this time, all of a check together. A reading of half of
 * them would withdraw what the others showed. Their findings stay. Returns how many.
 */
export async function deleteCaptures(database: Database, seenBefore: Date): Promise<number> {
  let deleted = 0
  for (;;) {
    const { rows } = await sql<{ deleted: number }>`
      with gone as (
        delete from site_captures
         where check_id in (
           select old.check_id
             from (
               select distinct check_id
                 from site_captures
                where seen_at < ${seenBefore}
                limit ${checksAtOnceMax}
             ) old
            where not exists (
              select from site_captures newer
               where newer.check_id = old.check_id and newer.seen_at >= ${seenBefore}
            )
         )
        returning 1
      )
      select count(*) as deleted from gone`.execute(database)
    const count = rows[0]?.deleted ?? 0
    deleted += count
    if (count === 0) return deleted
  }
}

/** Returns the hashes that no capture has. */
export async function unreferencedBodies(database: Database, hashes: readonly Buffer[]): Promise<Buffer[]> {
  const { rows } = await sql<{ hash: Buffer }>`
    select stored.hash
      from unnest(${[...hashes]}::bytea[]) as stored (hash)
     where not exists (select from site_captures capture where capture.body_hash = stored.hash)`.execute(
    database,
  )
  return rows.map(row => row.hash)
}
