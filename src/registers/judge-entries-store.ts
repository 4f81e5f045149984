import type { BlocklistRow } from '@baize/registers'
import { judgeAgain, scopeRulesVersion } from '@baize/registers/entries'
import { sql } from 'kysely'
import type { Database, Transaction, World } from '../database/open.ts'
import { endFactChange } from '../features/facts/index.ts'
import { lockFacts, recordEvent } from '../journal/index.ts'

const entriesAtOnce = 10_000
const catchUpTimeout = '1h'

type StoredEntry = {
  id: number
  stream: string
  published: string
  scope: BlocklistRow['scope']
  domain_id: number | null
  domain: string | null
}

type JudgedEntry = {
  id: number
  scope: string
  listed_as: string | null
  domain_id: number | null
}

/**
 * Judges entries again that older rules judged (contract section 13). This is not a change of a register,
 * so it causes no Signals. Returns false if no entry needs it.
 */
export async function judgeStoredEntries({ database }: World, onStart: () => void): Promise<boolean> {
  if (!(await anyOutdated(database))) return false
  onStart()
  await database.transaction().execute(async tx => {
    await sql`
      select set_config('statement_timeout', ${catchUpTimeout}, true),
             set_config('lock_timeout', ${catchUpTimeout}, true)`.execute(tx)
    await lockFacts(tx)
    const domainIds = new Set<number>()
    for (let after = 0; ; ) {
      const entries = await readOutdated(tx, after)
      const last = entries.at(-1)
      if (last === undefined) break
      await writeJudged(tx, entries.map(judge))
      for (const { domain_id } of entries) if (domain_id !== null) domainIds.add(domain_id)
      after = last.id
    }
    const now = new Date()
    const cause = { cause: 'register', isCorrection: true, occurredAt: now, now } as const
    await endFactChange(tx, { domainIds: [...domainIds], cause })
    await recordEvent(tx, { kind: 'scopes', at: now })
  })
  return true
}

/** Finds entries whose stored scope differs from the result of today's rules for the published text. */
export async function findMisjudgedEntries(
  database: Database,
): Promise<{ checked: number; wrong: unknown[] }> {
  const wrong: unknown[] = []
  let checked = 0
  for (let after = 0; ; ) {
    const entries = await readEntries(database, after, sql`true`)
    const last = entries.at(-1)
    if (last === undefined) return { checked, wrong: wrong.slice(0, 20) }
    for (const entry of entries) {
      const { scope } = judge(entry)
      if (scope !== entry.scope)
        wrong.push({ stream: entry.stream, published: entry.published, stored: entry.scope, judged: scope })
    }
    checked += entries.length
    after = last.id
  }
}

function judge(entry: StoredEntry): JudgedEntry {
  const judged = judgeAgain(entry)
  return {
    id: entry.id,
    scope: judged.scope,
    domain_id: judged.domain === null ? null : entry.domain_id,
    listed_as: judged.listedAs,
  }
}

async function anyOutdated(database: Database): Promise<boolean> {
  const { rows } = await sql`
    select from blocklist_entries where scope_rules < ${scopeRulesVersion} limit 1`.execute(database)
  return rows.length > 0
}

const readOutdated = (tx: Transaction, after: number) =>
  readEntries(tx, after, sql`entry.scope_rules < ${scopeRulesVersion}`)

async function readEntries(
  database: Database,
  after: number,
  which: ReturnType<typeof sql>,
): Promise<StoredEntry[]> {
  const { rows } = await sql<StoredEntry>`
    select entry.id, entry.stream, entry.published, entry.scope, entry.domain_id, domain.domain
      from blocklist_entries entry
      left join domains domain on domain.id = entry.domain_id
     where entry.id > ${after} and ${which}
     order by entry.id
     limit ${entriesAtOnce}`.execute(database)
  return rows
}

async function writeJudged(tx: Transaction, entries: JudgedEntry[]): Promise<void> {
  await sql`
    update blocklist_entries entry
       set scope = judged.scope,
           listed_as = judged.listed_as,
           domain_id = judged.domain_id,
           scope_rules = ${scopeRulesVersion}
      from unnest(
             ${entries.map(entry => entry.id)}::bigint[],
             ${entries.map(entry => entry.scope)}::text[],
             ${entries.map(entry => entry.listed_as)}::text[],
             ${entries.map(entry => entry.domain_id)}::bigint[]
           ) as judged (id, scope, listed_as, domain_id)
     where entry.id = judged.id`.execute(tx)
}
