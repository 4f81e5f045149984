import type pg from 'pg'

const typeScriptTypes: Record<string, string> = {
  bigint: 'number',
  boolean: 'boolean',
  bytea: 'Buffer',
  date: 'string',
  integer: 'number',
  'integer[]': 'number[]',
  json: 'unknown',
  jsonb: 'unknown',
  text: 'string',
  'text[]': 'string[]',
  'timestamp with time zone': 'Date',
  tsvector: 'string',
  uuid: 'string',
}

type Column = {
  table_name: string
  column_name: string
  type: string
  nullable: boolean
  filled_by_database: boolean
}

const columnsOfSchema = `
  select class.relname as table_name,
         attribute.attname as column_name,
         format_type(attribute.atttypid, null) as type,
         not attribute.attnotnull as nullable,
         attribute.atthasdef or attribute.attidentity <> '' as filled_by_database
    from pg_class class
    join pg_attribute attribute on attribute.attrelid = class.oid
   where class.relnamespace = to_regnamespace($1)
     and class.relkind in ('r', 'p')
     and not class.relispartition
     and class.relname <> 'applied_migrations'
     and attribute.attnum > 0
     and not attribute.attisdropped
   order by class.relname collate "C", attribute.attnum`

function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

export async function drawRowTypes(client: pg.ClientBase, schema = 'public'): Promise<string> {
  const { rows } = await client.query<Column>(columnsOfSchema, [schema])
  const tables = Map.groupBy(rows, column => column.table_name)
  const lines = [
    "import type { Generated } from 'kysely'",
    '',
    '// Written by `npm run generate` from the schema.',
    '',
  ]
  for (const [table, columns] of tables) {
    lines.push(`type ${pascalCase(table)} = {`)
    for (const column of columns) {
      const bare = typeScriptTypes[column.type]
      if (bare === undefined)
        throw new Error(`${table}.${column.column_name}: no TypeScript type for ${column.type}`)
      const type = column.nullable ? `${bare} | null` : bare
      lines.push(`  ${column.column_name}: ${column.filled_by_database ? `Generated<${type}>` : type}`)
    }
    lines.push('}', '')
  }
  lines.push('export type Tables = {')
  for (const table of tables.keys()) lines.push(`  ${table}: ${pascalCase(table)}`)
  lines.push('}', '')
  return lines.join('\n')
}
