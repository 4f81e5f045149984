import { headingId } from './heading-id.ts'
import { type ApiDocument, type Parameter, plainSchema, type Schema } from './reference-document.ts'

/** Longer enumerations, such as the markets, are listed once on the page. */
const valuesMax = 12
const examplesMax = 3

/** Describes a type in words: `integer, 1 to 1000, default 100`. */
export function typeWords(document: ApiDocument, schema: Schema): string {
  const { schema: plain, isNullable } = plainSchema(document, schema)
  const limits = [
    plain.minimum !== undefined && plain.maximum !== undefined ? `${plain.minimum} to ${plain.maximum}` : '',
    schema.default === undefined ? '' : `default \`${JSON.stringify(schema.default)}\``,
  ]
  const words = `${mainType(document, plain)}${isNullable ? ' or null' : ''}`
  return [words, ...limits].filter(each => each !== '').join(', ')
}

function mainType(document: ApiDocument, schema: Schema): string {
  if (schema.items !== undefined) return `list of ${typeWords(document, schema.items)}`
  if (schema.const !== undefined) return `\`${schema.const}\``
  if (schema.enum !== undefined) return valueWords(schema.enum)
  if (schema.anyOf !== undefined) {
    const parts = schema.anyOf.map(each => typeWords(document, each))
    return [...new Set(parts)].join(' or ')
  }
  return [schema.type ?? 'any']
    .flat()
    .filter(type => type !== 'null')
    .join(' or ')
}

function valueWords(values: readonly unknown[]): string {
  const written = values.filter(value => value !== null).map(value => `\`${value}\``)
  if (written.length <= valuesMax) return written.join(' ')
  return `${written.slice(0, examplesMax).join(' ')} and ${written.length - examplesMax} more`
}

/** Lists the values of the parameters whose enumeration is too long for a table. */
export function longValues(document: ApiDocument, parameters: readonly Parameter[]): string[] {
  const lists = parameters.flatMap(({ name, schema }) => {
    const { schema: plain } = plainSchema(document, schema.items ?? schema)
    const values = plain.enum?.filter(value => value !== null) ?? []
    return values.length <= valuesMax ? [] : [`\`${name}\`: ${values.map(value => `\`${value}\``).join(' ')}`]
  })
  return lists
}

export type ObjectType = {
  /** The name of the schema, which the TypeScript client has as a type, or its path in the answer. */
  title: string
  members: { name: string; type: string; text: string }[]
}

/** Lists the object types of an answer, each once: first the answer, then those of its members. */
export function objectTypes(document: ApiDocument, answer: Schema): ObjectType[] {
  const types = new Map<string, ObjectType>()
  const waiting = [{ title: '', schema: plainSchema(document, answer).schema }]
  for (const { title, schema } of waiting) {
    if (types.has(title)) continue
    const required = new Set(schema.required)
    const members = Object.entries(schema.properties ?? {}).map(([name, declared]) => {
      const inner = objectIn(document, declared, title === '' ? name : `${title}.${name}`)
      if (inner !== null) waiting.push(inner)
      const type = inner === null ? typeWords(document, declared) : objectWords(document, declared, inner)
      return {
        name,
        type: `${type}${required.has(name) ? '' : ', may be absent'}`,
        text: declared.description ?? '',
      }
    })
    types.set(title, { title, members })
  }
  return [...types.values()]
}

type ObjectSchema = { title: string; schema: Schema }

/** Returns the object that a member or the elements of its list are; null for plain values. */
function objectIn(document: ApiDocument, declared: Schema, path: string): ObjectSchema | null {
  const { schema, name } = plainSchema(document, declared)
  if (schema.properties !== undefined) return { title: name ?? path, schema }
  return schema.items === undefined ? null : objectIn(document, schema.items, `${path}[]`)
}

function objectWords(document: ApiDocument, declared: Schema, { title }: ObjectSchema): string {
  const { schema, isNullable } = plainSchema(document, declared)
  const link = `[${title}](#${headingId(title)})`
  return `${schema.items === undefined ? link : `list of ${link}`}${isNullable ? ' or null' : ''}`
}
