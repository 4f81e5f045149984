import { isDeepStrictEqual } from 'node:util'
import { reference } from './components.ts'

type Node = { [key: string]: unknown }
type Document = { components: { schemas: Node } }

/** Keywords that belong to the place, not to the type. */
const placeKeywords = new Set(['description', 'default'])
/** Keywords whose values contain no schemas. */
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
