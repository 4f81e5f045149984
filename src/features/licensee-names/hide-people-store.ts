import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'

export type StateRow = {
  id: number
  stream: string
  record_key: string
  legal_name: string
  trading_names: string[]
  registration_number: string | null
  is_open: boolean
}

const rowsAtOnceMax = 5_000

/** Yields all states of licensees, open, closed and former ones, in the order of their ids. */
export async function* readStates(tx: Transaction): AsyncGenerator<StateRow, void> {
  let after = 0
  for (;;) {
    const { rows } = await sql<StateRow>`
      select id, stream, record_key, legal_name, trading_names, registration_number,
             known_to is null as is_open
        from (
          select id, stream, record_key, legal_name, trading_names, registration_number, known_to
            from licensee_states
          union all
          select distinct on (id) id, stream, record_key, legal_name, trading_names, registration_number,
                 coalesce(known_to, 'infinity')
            from former_licensee_states former
           where not exists (select from licensee_states current where current.id = former.id)
        ) state
       where id > ${after}
       order by id
       limit ${rowsAtOnceMax}`.execute(tx)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < rowsAtOnceMax) return
    after = last.id
  }
}

export type HiddenState = Pick<StateRow, 'id' | 'record_key' | 'legal_name' | 'trading_names'>

export async function rewriteStates(tx: Transaction, rows: readonly HiddenState[]): Promise<void> {
  for (const table of ['licensee_states', 'former_licensee_states'])
    await sql`
    update ${sql.table(table)} state
       set record_key = hidden.record_key,
           legal_name = hidden.legal_name,
           trading_names = array(select json_array_elements_text(hidden.trading_names))
      from unnest(${rows.map(row => row.id)}::bigint[],
                  ${rows.map(row => row.record_key)}::text[],
                  ${rows.map(row => row.legal_name)}::text[],
                  ${rows.map(row => JSON.stringify(row.trading_names))}::json[])
             as hidden (id, record_key, legal_name, trading_names)
     where state.id = hidden.id`.execute(tx)
}

export type HiddenIdentity = {
  stream: string
  from: string
  into: string
  /** The published name; null: the identity keeps its name, and loses trading names alone. */
  name: string | null
  brands: string[]
}

/** Rewrites identities as `updateIdentities` writes those of a person. Returns their Companies. */
export async function rewriteIdentities(tx: Transaction, rows: readonly HiddenIdentity[]): Promise<number[]> {
  const { rows: companies } = await sql<{ company_id: number }>`
    update company_identities identity
       set identity_key = hidden.into_key,
           company_name = coalesce(hidden.name, identity.company_name),
           legal_entity = coalesce(hidden.name, identity.legal_entity),
           subject_kind = case when hidden.name is null then identity.subject_kind else 'unknown' end,
           name_key = case when hidden.name is null then identity.name_key end,
           brands = array(select json_array_elements_text(hidden.brands))
      from unnest(${rows.map(row => row.stream)}::text[],
                  ${rows.map(row => row.from)}::text[],
                  ${rows.map(row => row.into)}::text[],
                  ${rows.map(row => row.name)}::text[],
                  ${rows.map(row => JSON.stringify(row.brands))}::json[])
             as hidden (stream, from_key, into_key, name, brands)
     where identity.stream = hidden.stream and identity.identity_key = hidden.from_key
    returning identity.company_id`.execute(tx)
  return companies.map(row => row.company_id)
}

type KeyColumn = {
  table: string
  column: string
}

/** The columns with record keys of a stream. Registers without numbers identify licensees by their names. */
const keyColumns: readonly KeyColumn[] = [
  { table: 'licenses', column: 'record_key' },
  { table: 'license_states', column: 'licensee_key' },
  { table: 'authorisations', column: 'record_key' },
  { table: 'authorisations', column: 'licensee_key' },
  { table: 'former_license_states', column: 'licensee_key' },
  { table: 'former_authorisations', column: 'record_key' },
  { table: 'former_authorisations', column: 'licensee_key' },
  { table: 'signals', column: 'record_key' },
  { table: 'company_links', column: 'with_key' },
]

/** Rewrites the keys of a stream in which `hide` replaces a name. */
export async function rewriteKeys(
  tx: Transaction,
  stream: string,
  hide: (key: string) => string,
): Promise<void> {
  for (const { table, column } of keyColumns) {
    const key = sql.ref(`keyed.${column}`)
    const ofStream = table.endsWith('license_states')
      ? sql`keyed.license_id in (select id from licenses where stream = ${stream})`
      : table === 'company_links'
        ? sql`keyed.with_stream = ${stream}`
        : sql`keyed.stream = ${stream}`
    const { rows } = await sql<{ key: string }>`
      select distinct ${key} as key
        from ${sql.table(table)} keyed
       where ${ofStream} and ${key} is not null`.execute(tx)
    const changed = rows.map(row => [row.key, hide(row.key)] as const).filter(([one, other]) => one !== other)
    if (changed.length === 0) continue
    await sql`
      update ${sql.table(table)} keyed
         set ${sql.ref(column)} = hidden.into_key
        from unnest(${changed.map(([from]) => from)}::text[], ${changed.map(([, into]) => into)}::text[])
               as hidden (from_key, into_key)
       where ${ofStream} and ${key} = hidden.from_key`.execute(tx)
  }
}

/** Rewrites the last keys of a stream's snapshots, which the guard looks for in the next file. */
export async function rewriteLastKeys(
  tx: Transaction,
  stream: string,
  hide: (key: string) => string,
): Promise<void> {
  const { rows } = await sql<{ id: number; keys: Record<string, string> }>`
    select id, figures -> 'lastKeys' as keys
      from register_snapshots
     where stream = ${stream} and figures ? 'lastKeys'`.execute(tx)
  for (const { id, keys } of rows) {
    const hidden = Object.fromEntries(Object.entries(keys).map(([kind, key]) => [kind, hide(key)]))
    if (Object.entries(keys).every(([kind, key]) => hidden[kind] === key)) continue
    await sql`
      update register_snapshots
         set figures = jsonb_set(figures, '{lastKeys}', ${JSON.stringify(hidden)}::jsonb)
       where id = ${id}`.execute(tx)
  }
}

/** Replaces a name in the texts of a stream's Signals. Returns how many changed. */
export async function rewriteSignals(tx: Transaction, { stream, from, into }: Renamed): Promise<number> {
  const { numAffectedRows } = await sql`
    update signals
       set headline = replace(headline, ${from}, ${into}),
           published_legal_name = replace(published_legal_name, ${from}, ${into}),
           former_legal_name = replace(former_legal_name, ${from}, ${into}),
           content = replace(content::text, ${inJson(from)}, ${inJson(into)})::jsonb
     where stream = ${stream}
       and (strpos(headline, ${from}) > 0
            or strpos(coalesce(published_legal_name, ''), ${from}) > 0
            or strpos(coalesce(former_legal_name, ''), ${from}) > 0
            or strpos(content::text, ${inJson(from)}) > 0)`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** The name of a person and what replaces it, as a register prints it. */
export type Renamed = { stream: string; from: string; into: string }

const inJson = (text: string) => JSON.stringify(text).slice(1, -1)

/** Selects the payload of the receipt in a stored answer, which is base64url without padding (RFC 7515). */
const receiptPayload = sql`
  (select convert_from(decode(rpad(payload, (length(payload) + 3) / 4 * 4, '='), 'base64'), 'UTF8')
     from translate(split_part(substring(body from '"receipt":"([\\w.-]+)"'), '.', 2), '-_', '+/') payload)`

/**
 * Replaces a name in answers that are stored for retries. Removes their receipts, which have the name in
 * keys of records, or the hash of the answer as it was.
 */
export async function rewriteStoredAnswers(tx: Transaction, { from, into }: Renamed): Promise<number> {
  const name = inJson(from)
  const { numAffectedRows } = await sql`
    update idempotency_records
       set body = regexp_replace(replace(body, ${name}, ${inJson(into)}), ',"receipt":"[\\w.-]+"', '')
     where strpos(body, ${name}) > 0 or strpos(${receiptPayload}, ${name}) > 0`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

export async function rewriteProspectLists(tx: Transaction, { from, into }: Renamed): Promise<number> {
  const { numAffectedRows } = await sql`
    update prospect_lists
       set result = replace(result::text, ${inJson(from)}, ${inJson(into)})::jsonb
     where strpos(result::text, ${inJson(from)}) > 0`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Replaces a name in what staff see of the stream's snapshots and runs. */
export async function rewriteReports(tx: Transaction, { stream, from, into }: Renamed): Promise<void> {
  await sql`
    update register_snapshots
       set rejects = replace(rejects::text, ${inJson(from)}, ${inJson(into)})::jsonb,
           difference = replace(difference::text, ${inJson(from)}, ${inJson(into)})::jsonb
     where stream = ${stream}
       and (strpos(rejects::text, ${inJson(from)}) > 0
            or strpos(difference::text, ${inJson(from)}) > 0)`.execute(tx)
}

/** Replaces the slugs of logo subjects that were made of the name. A slug stays when its name changes. */
export async function rewriteSlugs(tx: Transaction, slugs: readonly string[]): Promise<void> {
  await sql`
    update logo_subjects
       set slug = 'person-' || id
     where regexp_replace(slug, '-[0-9]+$', '') = any (${[...slugs]}::text[])`.execute(tx)
}

/** Deletes words of the name that no row of the search has any more. */
export async function deleteWords(tx: Transaction, words: readonly string[]): Promise<void> {
  for (const subject of ['company', 'license'] as const)
    await sql`
      delete from search_words stored
       where stored.subject = ${subject}
         and stored.word = any (${[...words]}::text[])
         and not exists (
           select from ${sql.table(`${subject}_search`)} hit
            where hit.document @@ quote_literal(stored.word)::tsquery
         )`.execute(tx)
}
