import type pg from 'pg'

type Table = { name: string; columns: string[]; key: string; hasTriggers: boolean; uses: string[] }

/** Tables whose rows belong to an installation, or were written by a migration. */
const kept = `
  'applied_migrations', 'signing_secrets', 'receipt_keys', 'dataset_version', 'signal_sequence',
  'settling_probes'`

/** Columns of tables that refer to each other. They are filled when both tables have their rows. */
const filledLater = [
  { table: 'register_streams', key: 'stream', column: 'quarantined_snapshot_id' },
  { table: 'register_streams', key: 'stream', column: 'watch_snapshot_id' },
  { table: 'site_checks', key: 'id', column: 'reading_id' },
]

const columnsFilledLater = filledLater.map(({ table, column }) => `'${table}.${column}'`).join(', ')

const tablesOfSchema = `
  select class.relname as name,
         array(select quote_ident(attname) from pg_attribute
                where attrelid = class.oid and attnum > 0 and not attisdropped and attgenerated = ''
                order by attnum) as columns,
         coalesce((select string_agg(quote_ident(attname), ', '
                                     order by array_position(indkey::int2[], attnum))
                     from pg_index join pg_attribute on attrelid = indrelid and attnum = any (indkey)
                    where indrelid = class.oid and indisprimary), '1') as key,
         exists (select from pg_trigger where tgrelid = class.oid and not tgisinternal) as "hasTriggers",
         array(select confrelid::regclass::text
                 from pg_constraint
                 join pg_attribute on attrelid = conrelid and attnum = conkey[1]
                where contype = 'f' and conrelid = class.oid and confrelid <> class.oid
                  and relname || '.' || attname not in (${columnsFilledLater})) as uses
    from pg_class class
   where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
     and relname not in (${kept})
   order by relname collate "C"`

const sequences = `
  select quote_ident(sequencename) as name, last_value as value
    from pg_sequences
   where schemaname = current_schema() and last_value is not null
   order by sequencename collate "C"`

const counters = 'select version, last_number from dataset_version, signal_sequence'

export async function emptyTables(client: pg.Client): Promise<void> {
  await client.query(truncating(await inOrder(client)))
  await client.query('update signal_sequence set last_number = 0')
}

/** Returns statements that replace all rows of a schema by the current rows of this one. */
export async function rowsSql(client: pg.Client, datasetVersions: number): Promise<string> {
  const tables = await inOrder(client)
  const filled: { table: Table; rows: string[] }[] = []
  for (const table of tables) {
    const rows = await readRows(client, table)
    if (rows.length > 0) filled.push({ table, rows })
  }
  const triggered = filled.filter(({ table }) => table.hasTriggers).map(({ table }) => table.name)
  const { rows: found } = await client.query(sequences)
  const { rows: counted } = await client.query(counters)
  return [
    truncating(tables),
    ...triggered.map(name => `alter table ${name} disable trigger user;`),
    ...filled.map(({ table, rows }) => inserting(table, rows)),
    ...(await laterUpdates(client)),
    ...found.map(({ name, value }) => `select setval('${name}', ${value});`),
    ...triggered.map(name => `alter table ${name} enable trigger user;`),
    `update signal_sequence set last_number = ${counted[0].last_number};`,
    `update dataset_version set version = version + ${datasetVersions};`,
    '',
  ].join('\n')
}

export async function datasetVersion(client: pg.Client): Promise<number> {
  const { rows } = await client.query(counters)
  return Number(rows[0].version)
}

/** Orders tables so that each follows the tables that it refers to. */
async function inOrder(client: pg.Client): Promise<Table[]> {
  const { rows: waiting } = await client.query<Table>(tablesOfSchema)
  const placed: Table[] = []
  while (waiting.length > 0) {
    const next = waiting.findIndex(({ uses }) => !waiting.some(({ name }) => uses.includes(name)))
    if (next === -1) throw new Error(`these tables refer to each other: ${waiting.map(({ name }) => name)}`)
    placed.push(...waiting.splice(next, 1))
  }
  return placed
}

/** Empties the tables only if they have rows, because emptying takes a third of the load. */
function truncating(tables: readonly Table[]): string {
  const names = tables.map(({ name }) => name).sort()
  return [
    'do $$ begin',
    '  if exists (select from companies) then',
    `    truncate ${names.join(', ')} restart identity;`,
    '  end if;',
    'end $$;',
  ].join('\n')
}

const inserting = ({ name, columns }: Table, rows: readonly string[]): string =>
  `insert into ${name} (${columns.join(', ')}) overriding system value values\n  ${rows.join(',\n  ')};`

async function readRows(client: pg.Client, { name, columns, key }: Table): Promise<string[]> {
  const isLater = (column: string) => filledLater.some(each => each.table === name && each.column === column)
  const values = columns.map(column => (isLater(column) ? `'NULL'` : `quote_nullable(${column})`)).join(', ')
  const { rows } = await client.query<{ row: string }>(
    `select '(' || concat_ws(', ', ${values}) || ')' as row from ${name} order by ${key}`,
  )
  return rows.map(({ row }) => row)
}

async function laterUpdates(client: pg.Client): Promise<string[]> {
  const statements: string[] = []
  for (const { table, key, column } of filledLater) {
    const { rows } = await client.query<{ key: string; value: string }>(
      `select quote_literal(${key}) as key, quote_literal(${column}) as value
         from ${table} where ${column} is not null order by ${key}`,
    )
    statements.push(
      ...rows.map(row => `update ${table} set ${column} = ${row.value} where ${key} = ${row.key};`),
    )
  }
  return statements
}
