import { isDeepStrictEqual } from 'node:util'
import { mapValues, reference } from './components.ts'

type Responses = Record<string, Record<string, unknown>>
type Paths = Record<string, Record<string, { responses: Responses }>>

/** Our keyword for the component name of a response that several operations may have. */
const ownKeyword = 'shared'

/**
 * Moves responses that several operations have to the components. Throws if two different ones have the
 * same name.
 */
export function shareResponses(paths: Paths): { paths: Paths; responses: Record<string, object> } {
  const uses = new Map<string, { text: string; count: number }>()
  for (const { name, text } of namedResponses(paths)) {
    const { text: first, count } = uses.get(name) ?? { text, count: 0 }
    if (first !== text) throw new Error(`two responses have the name ${name}`)
    uses.set(name, { text, count: count + 1 })
  }
  const shared: Record<string, object> = {}
  const place = ({ [ownKeyword]: name, ...response }: Record<string, unknown>): object => {
    if (typeof name !== 'string' || uses.get(name)?.count === 1) return response
    shared[name] = response
    return reference('responses', name)
  }
  const placed = mapValues(paths, methods =>
    mapValues(methods, operation => ({ ...operation, responses: mapValues(operation.responses, place) })),
  )
  return { paths: placed as Paths, responses: shared }
}

function* namedResponses(paths: Paths): Generator<{ name: string; text: string }> {
  for (const methods of Object.values(paths))
    for (const { responses } of Object.values(methods))
      for (const response of Object.values(responses)) {
        const name = response[ownKeyword]
        if (typeof name === 'string') yield { name, text: JSON.stringify(response) }
      }
}

type Node = { [key: string]: unknown }
type Document = { components: { schemas: Node } }

/** These keywords belong to the place where a type is used, not to the type. */
const placeKeywords = new Set(['description', 'default'])
/** The values of these keywords contain no schemas. */
const valueKeywords = new Set(['example', 'examples', 'x-demo', 'enum', 'const', 'default'])

/** Moves named schemas to the components, so that generated clients have each type once. */
export function nameTypes<Given extends Document>(document: Given): Given {
  const types: Node = {}

  function visit(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(visit)
    if (!isNode(value)) return value
    const visited = Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, valueKeywords.has(key) ? each : visit(each)]),
    )
    return typeof visited.named === 'string' ? refer(visited.named, visited) : visited
  }

  function refer(name: string, { named: _, ...schema }: Node): Node {
    const entries = Object.entries(schema)
    const type = withoutNull(Object.fromEntries(entries.filter(([key]) => !placeKeywords.has(key))))
    if (types[name] !== undefined && !isDeepStrictEqual(types[name], type))
      throw new Error(`two types have the name ${name}`)
    types[name] = type
    const placed = Object.fromEntries(entries.filter(([key]) => placeKeywords.has(key)))
    const toType = reference('schemas', name)
    return isNullable(schema) ? { anyOf: [toType, { type: 'null' }], ...placed } : { ...toType, ...placed }
  }

  const named = visit(document) as Given
  const clash = Object.keys(types).find(name => name in named.components.schemas)
  if (clash !== undefined) throw new Error(`two types have the name ${clash}`)
  return { ...named, components: { ...named.components, schemas: { ...named.components.schemas, ...types } } }
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

const isNullable = ({ type }: Node): boolean => Array.isArray(type) && type.includes('null')

function withoutNull(schema: Node): Node {
  if (!isNullable(schema)) return schema
  const [type] = schema.type as string[]
  const { enum: words } = schema
  return {
    ...schema,
    type,
    ...(Array.isArray(words) ? { enum: words.filter(word => word !== null) } : {}),
  }
}
