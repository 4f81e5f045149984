import { isDeepStrictEqual } from 'node:util'
import { reference } from './components.ts'

type Node = { [key: string]: unknown }
type Document = { components: { schemas: Node } }

/** What is said of one place alone, not of the type. */
const ofThePlace = new Set(['description', 'default'])
/** Values, in which nothing is a schema. */
const values = new Set(['example', 'examples', 'x-demo', 'enum', 'const', 'default'])

/**
 * The document with each schema that has a name once, among the components, and a reference to it wherever it stood: so
 * that a client which is generated from it has one `DomainEntry`, not one for every place.
 */
export function nameTypes<Given extends Document>(document: Given): Given {
  const types: Node = {}

  function visit(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(visit)
    if (!isNode(value)) return value
    const visited = Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, values.has(key) ? each : visit(each)]),
    )
    return typeof visited.named === 'string' ? refer(visited.named, visited) : visited
  }

  function refer(name: string, { named: _, ...schema }: Node): Node {
    const entries = Object.entries(schema)
    const type = withoutNull(Object.fromEntries(entries.filter(([key]) => !ofThePlace.has(key))))
    if (types[name] !== undefined && !isDeepStrictEqual(types[name], type))
      throw new Error(`two types have the name ${name}`)
    types[name] = type
    const told = Object.fromEntries(entries.filter(([key]) => ofThePlace.has(key)))
    const referred = reference('schemas', name)
    return isNullable(schema) ? { anyOf: [referred, { type: 'null' }], ...told } : { ...referred, ...told }
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
