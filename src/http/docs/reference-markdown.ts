type Schema = {
  type?: string | string[]
  enum?: unknown[]
  items?: Schema
  $ref?: string
  description?: string
}
type Parameter = {
  $ref?: string
  name?: string
  in?: string
  required?: boolean
  description?: string
  schema?: Schema
}
type Body = {
  content: Record<string, { schema: { properties?: Record<string, Schema>; required?: string[] } }>
}
type Operation = {
  summary: string
  description: string
  tags: string[]
  parameters?: Parameter[]
  requestBody?: Body
}
type Described = {
  info: { title: string; description: string }
  paths: Record<string, Record<string, Operation>>
}

/** The reference of `/docs` as Markdown, from openapi.json. Schemas of answers are in that document. */
export function referenceMarkdown(document: object, baseUrl: string): string {
  const { info, paths } = document as Described
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  const byTag = Map.groupBy(operations, ({ operation }) => operation.tags[0] ?? '')
  const sections = [...byTag].map(
    ([tag, listed]) => `## ${tag}\n\n${listed.map(each => describe(each)).join('\n\n')}`,
  )
  const schemas = `Schemas of answers: [openapi.json](${baseUrl}/openapi.json).`
  return `# ${info.title}: API reference\n\n${info.description}\n\n${schemas}\n\n${sections.join('\n\n')}\n`
}

type Listed = { method: string; path: string; operation: Operation }

function describe({ method, path, operation }: Listed): string {
  const rows = [...(operation.parameters ?? []).flatMap(parameterRow), ...bodyRows(operation.requestBody)]
  const table =
    rows.length === 0 ? [] : [`| Parameter | In | Type | |\n|---|---|---|---|\n${rows.join('\n')}`]
  return [`### ${operation.summary}`, `\`${method} ${path}\``, operation.description, ...table].join('\n\n')
}

const parameterRow = ({ name, in: place, required, description, schema }: Parameter): string[] =>
  name === undefined ? [] : [row({ name, place, required, description, schema })]

function bodyRows(body: Body | undefined): string[] {
  const schema = body?.content['application/json']?.schema
  return Object.entries(schema?.properties ?? {}).map(([name, member]) =>
    row({
      name,
      place: 'body',
      required: schema?.required?.includes(name),
      description: member.description,
      schema: member,
    }),
  )
}

type Row = {
  name: string
  place: string | undefined
  required: boolean | undefined
  description: string | undefined
  schema: Schema | undefined
}

function row({ name, place, required, description = '', schema }: Row): string {
  const type = typeOf(schema)
  const text = description.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')
  return `| \`${name}\` | ${place} | ${type}${required ? ', required' : ''} | ${text} |`
}

function typeOf(schema: Schema = {}): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? ''
  if (schema.items !== undefined) return `list of ${typeOf(schema.items)}`
  if (schema.enum !== undefined) return schema.enum.map(value => `\`${value}\``).join(' ')
  return [schema.type ?? ''].flat().join(' or ')
}
