import pg from 'pg'
import { catalogueQueries } from './catalogue-queries.ts'

type TableRow = {
  name: string
  kind: 'r' | 'p' | 'v' | 'm'
  unlogged: boolean
  comment: string | null
  storage: string | null
  partition_key: string | null
}
type ColumnRow = {
  table: string
  name: string
  type: string
  collation: string | null
  required: boolean
  identity: '' | 'a' | 'd'
  generated: '' | 's' | 'v'
  value: string | null
  comment: string | null
}
type ConstraintRow = { table: string; name: string; definition: string }
type DefinitionRow = { table: string; definition: string }
type FunctionRow = { definition: string; signature: string; comment: string | null }
type TypeRow = {
  name: string
  kind: 'e' | 'd' | 'c'
  labels: string | null
  fields: string | null
  base: string
  required: boolean
  value: string | null
  checks: string | null
  comment: string | null
}
type SequenceRow = { name: string; type: string; cycles: boolean }
type ExtensionRow = { name: string; schema: string }

const heading = `-- The schema that the migrations create, for reading. Written by \`npm run generate\` from
-- the catalogue of a database, in the order of names; a test compares it. The schema \`demo\` is the same.
-- Without partitions, which depend on the date, and the queries of views, which releases print differently.`

/**
 * Returns the schema, equal for equal schemas on every release from 15 on. It is only documentation:
 * migrations create databases.
 */
export async function drawSchema(connection: pg.ClientConfig): Promise<string> {
  const client = new pg.Client({ ...connection, options: '-c search_path=public,extensions' })
  client.on('error', () => {}) // The running query fails too.
  await client.connect()
  try {
    const rows = async <Row>(query: keyof typeof catalogueQueries): Promise<Row[]> => {
      const text = catalogueQueries[query]
      return (await client.query(text, text.includes('$1') ? ['public'] : [])).rows as Row[]
    }
    const parts = await readParts(rows)
    const tables = await rows<TableRow>('tables')
    return `${[
      heading,
      (await rows<ExtensionRow>('extensions'))
        .map(({ name, schema }) => `-- extension ${name} in ${schema}`)
        .join('\n'),
      ...(await rows<TypeRow>('types')).map(drawType),
      ...(await rows<SequenceRow>('sequences')).map(drawSequence),
      ...tables.map(table => drawTable(table, parts)),
      ...(await rows<FunctionRow>('functions')).map(drawFunction),
    ]
      .filter(part => part !== '')
      .join('\n\n')}\n`
  } finally {
    await client.end()
  }
}

type Parts = {
  columns: Map<string, ColumnRow[]>
  constraints: Map<string, ConstraintRow[]>
  sources: Map<string, DefinitionRow[]>
  statements: Map<string, DefinitionRow[]>
}

async function readParts(
  rows: <Row>(query: keyof typeof catalogueQueries) => Promise<Row[]>,
): Promise<Parts> {
  const statements = [
    ...(await rows<DefinitionRow>('indexes')),
    ...(await rows<DefinitionRow>('statistics')),
    ...(await rows<DefinitionRow>('triggers')),
  ]
  return {
    columns: Map.groupBy(await rows<ColumnRow>('columns'), row => row.table),
    constraints: Map.groupBy(await rows<ConstraintRow>('constraints'), row => row.table),
    sources: Map.groupBy(await rows<DefinitionRow>('sources'), row => row.table),
    statements: Map.groupBy(statements, row => row.table),
  }
}

const kinds = { r: 'table', p: 'table', v: 'view', m: 'materialized view' }

function drawTable(table: TableRow, parts: Parts): string {
  const constraints = parts.constraints.get(table.name) ?? []
  const lines = [
    ...(parts.columns.get(table.name) ?? []).map(column => ({
      text: drawColumn(column),
      comment: column.comment,
    })),
    ...constraints.map(({ name, definition }) => ({
      text: `constraint ${name} ${definition}`,
      comment: null,
    })),
  ]
  const body = lines.map((line, index) => {
    const above = line.comment === null ? '' : `${comment(line.comment, '  ')}\n`
    return `${above}  ${line.text}${index < lines.length - 1 ? ',' : ''}`
  })
  const isView = table.kind === 'v' || table.kind === 'm'
  const sources = (parts.sources.get(table.name) ?? []).map(({ definition }) => definition).join(', ')
  const divided = table.partition_key === null ? '' : ` partition by ${table.partition_key}`
  const storage = table.storage ? ` with (${table.storage})` : ''
  return [
    ...(table.comment === null ? [] : [comment(table.comment, '')]),
    `create ${table.unlogged ? 'unlogged ' : ''}${kinds[table.kind]} ${table.name} (`,
    ...body,
    `)${divided}${storage}${isView ? ` as -- made from ${sources || 'nothing stored'}` : ';'}`,
    ...(parts.statements.get(table.name) ?? []).map(({ definition }) => `${unqualified(definition)};`),
  ].join('\n')
}

function drawColumn({ name, type, collation, required, identity, generated, value }: ColumnRow): string {
  const words = [name, type]
  if (collation !== null) words.push(`collate "${collation}"`)
  if (required) words.push('not null')
  if (identity !== '') words.push(`generated ${identity === 'a' ? 'always' : 'by default'} as identity`)
  else if (generated !== '') words.push(`generated always as (${value})${generated === 's' ? ' stored' : ''}`)
  else if (value !== null) words.push(`default ${value}`)
  return words.join(' ')
}

function drawFunction({ definition, signature, comment: text }: FunctionRow): string {
  const said = text === null ? '' : `comment on function ${signature} is ${literal(text)};`
  return [`${unqualified(definition).trimEnd()};`, said].filter(line => line !== '').join('\n')
}

function drawType({ name, kind, labels, fields, base, ...domain }: TypeRow): string {
  const head = domain.comment === null ? '' : `${comment(domain.comment, '')}\n`
  if (kind === 'e') return `${head}create type ${name} as enum (${labels});`
  if (kind === 'c') return `${head}create type ${name} as (\n${fields}\n);`
  const { required, value, checks } = domain
  const rest = [
    value === null ? '' : ` default ${value}`,
    required ? ' not null' : '',
    checks === null ? '' : ` ${checks}`,
  ]
  return `${head}create domain ${name} as ${base}${rest.join('')};`
}

function drawSequence({ name, type, cycles }: SequenceRow): string {
  return `create sequence ${name} as ${type}${cycles ? ' cycle' : ''};`
}

const comment = (text: string, indent: string): string => text.replaceAll(/^/gm, `${indent}-- `)

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Removes the schema’s name, which these catalogue functions print even if it is in the search path. */
function unqualified(definition: string): string {
  return definition.replaceAll(/\b(ON|ON ONLY|FUNCTION|PROCEDURE|FROM|STATISTICS) public\./g, '$1 ')
}
