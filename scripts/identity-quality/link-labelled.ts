/** Syncs the labelled holders, as the files of their registers would be, into an empty database. */
import { pairKey } from '@baize/names'
import {
  type AuthorisationRow,
  findStream,
  type LicenseeRow,
  type Reading,
  type Stream,
} from '@baize/registers'
import { fileOfBytes } from '@baize/tables'
import { sql } from 'kysely'
import { splitBrand } from '../../packages/registers/readers/denmark/read-operators.ts'
import type { World } from '../../src/database/open.ts'
import { approveSnapshot, syncRegister } from '../../src/registers/index.ts'
import { type Holder, labelledHolders } from './labelled-pairs.ts'

export type LinkedHolders = {
  /** The id of each holder's Company. */
  companyOf: ReadonlyMap<string, number>
  /** What links holders by number, or by name and country, as before the other evidence was read. */
  formerKeysOf: ReadonlyMap<string, readonly string[]>
  /** Links by evidence, summed over all syncs. */
  linked: Record<string, number>
  /** The evidence of each link, as `holder with holder: evidence value`. */
  links: string[]
  /** Pairs of Companies that staff are asked about, as `id:id` with the smaller id first. */
  candidates: ReadonlySet<string>
}

export async function linkLabelled(world: World): Promise<LinkedHolders> {
  const byStream = Map.groupBy(labelledHolders().values(), ({ stream }) => stream)
  const linked: Record<string, number> = {}
  for (const [index, key] of [...byStream.keys()].sort().entries()) {
    const stream = streamOf(key)
    const now = new Date(Date.UTC(2026, 9, 1, index))
    const file = fileOfBytes(
      'holders.jsonl',
      `${JSON.stringify((byStream.get(key) ?? []).flatMap(readingsOf))}\n`,
    )
    let report = await syncRegister(world, stream, [file], { takenAt: now, now })
    if (report.status === 'held')
      report = await approveSnapshot(world, {
        snapshotRef: report.snapshot_ref as string,
        reason: 'labelled holders are few',
        findStream: async () => stream,
        now,
      })
    if (report.status !== 'applied')
      throw new Error(`${key} was ${report.status}: ${report.reasons.join('; ')}`)
    for (const [evidence, count] of Object.entries(report.linked))
      linked[evidence] = (linked[evidence] ?? 0) + count
  }
  return { linked, ...(await readLinked(world)) }
}

/** The register with holders as its rows, whatever its real files look like. */
function streamOf(key: string): Stream {
  const stream = findStream(key)
  if (stream === undefined) throw new Error(`There is no stream ${key}.`)
  return { ...stream, rowsMin: 0, rowsMax: null, endsWithLineBreak: true, read: readHolders }
}

const readHolders: Stream['read'] = async function* (files) {
  for (const file of files) {
    const chunks: Uint8Array[] = []
    for await (const chunk of file.open()) chunks.push(chunk)
    yield* JSON.parse(Buffer.concat(chunks).toString()) as Reading[]
  }
}

function readingsOf({ key, stream, name, number, country, domains = [] }: Holder): Reading[] {
  const split = stream === 'denmark.operators' ? splitBrand(name) : { name, brand: null }
  const holder: LicenseeRow = {
    record: 'licensee',
    recordKey: key,
    legalName: split.name,
    tradingNames: split.brand === null ? [] : [split.brand],
    country: country ?? null,
    registrationNumber: number ?? null,
  }
  const sites = domains.map(
    (domain): AuthorisationRow => ({
      record: 'authorisation',
      recordKey: `${key}|${domain}`,
      domain,
      published: domain,
      status: null,
      counts: true,
      licenseKey: null,
      licenseeKey: key,
    }),
  )
  return [holder, ...sites]
}

async function readLinked({ database }: World): Promise<Omit<LinkedHolders, 'linked'>> {
  const identities = await sql<{ identity_key: string; company_id: number; former_keys: string[] }>`
    select identity_key, company_id,
           array_remove(array[registration, name_key || '|' || country], null) as former_keys
      from company_identities`.execute(database)
  const links = await sql<{ text: string }>`
    select identity_key || ' with ' || with_key || ': ' || evidence || ' ' || value as text
      from company_links
     order by 1`.execute(database)
  const candidates = await sql<{ company_id: number; other_company_id: number }>`
    select company_id, other_company_id from company_candidates`.execute(database)
  return {
    companyOf: new Map(identities.rows.map(row => [row.identity_key, row.company_id])),
    formerKeysOf: new Map(identities.rows.map(row => [row.identity_key, row.former_keys])),
    links: links.rows.map(row => row.text),
    candidates: new Set(candidates.rows.map(row => pairKey(row.company_id, row.other_company_id))),
  }
}
