/** The part of openapi.json that the reference shows. */
export type ApiDocument = {
  info: { title: string; summary: string; description: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> }
}

export type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  description?: string
  default?: unknown
  minimum?: number
  maximum?: number
}

export type Parameter = {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
  example?: unknown
}

type Media = { schema: Schema; example?: unknown }
type Content = Record<string, Media>

type Described = {
  operationId: string
  summary: string
  description: string
  tags: string[]
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
  'x-price'?: { credits: number; unit: string }[]
  'x-demo'?: { url: string }[]
}

export type Operation = Described & { method: string; path: string }

export const operationsOf = ({ paths }: ApiDocument): Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      ...described,
      method: method.toUpperCase(),
      path,
    })),
  )

const nameOf = ($ref: string): string => $ref.slice($ref.lastIndexOf('/') + 1)

/** Lists the parameters of query, path and headers, then the members of the body. */
export function parametersOf({ components }: ApiDocument, operation: Operation): Parameter[] {
  const { parameters = [], requestBody } = operation
  const given = parameters.map(each =>
    '$ref' in each ? (components.parameters[nameOf(each.$ref)] as Parameter) : each,
  )
  const { schema, example } = requestBody?.content['application/json'] ?? {}
  const members = Object.entries(schema?.properties ?? {}).map(([name, member]) => ({
    name,
    in: 'body',
    required: schema?.required?.includes(name) ?? false,
    description: member.description ?? '',
    schema: member,
    example: (example as Record<string, unknown> | undefined)?.[name],
  }))
  return [...given, ...members]
}

/** Returns the JSON of the answer: the schema of `data`, and the example of the whole answer. */
export function answerOf({ components }: ApiDocument, { responses }: Operation): Media | null {
  const media = (responses['200'] ?? responses['202'])?.content?.['application/json']
  const envelope = components.schemas[nameOf(media?.schema.$ref ?? '')]
  const data = envelope?.allOf?.at(-1)?.properties?.data
  return media === undefined || data === undefined ? null : { ...media, schema: data }
}

export type Plain = {
  /** The schema behind references, without null. */
  schema: Schema
  /** The name of the schema, if it has one. */
  name: string | null
  isNullable: boolean
}

/** Follows references, and takes null out of a union. */
export function plainSchema(document: ApiDocument, schema: Schema): Plain {
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref)
    return { ...plainSchema(document, document.components.schemas[name] ?? {}), name }
  }
  const others = schema.anyOf?.filter(({ type }) => type !== 'null')
  const [only] = others ?? []
  if (only !== undefined && others?.length === 1)
    return { ...plainSchema(document, only), isNullable: schema.anyOf?.length === 2 }
  return { schema, name: null, isNullable: [schema.type].flat().includes('null') }
}
