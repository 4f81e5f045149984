/** The part of JSON Schema that openapi.json uses. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: (string | number | null)[] | undefined
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: boolean | Schema
  anyOf?: Schema[]
  allOf?: Schema[]
  description?: string
}

type Parameter = {
  $ref?: string
  name: string
  in: 'query' | 'path' | 'header'
  required?: boolean
  description?: string
  schema: Schema
}

type Content = Record<string, { schema: Schema }>

export type Described = {
  operationId: string
  summary: string
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
  'x-price': { credits: number; unit: string }[]
}

export type ApiDocument = {
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, Schema> }
}

export const nameOfReference = ($ref: string): string => $ref.slice($ref.lastIndexOf('/') + 1)
