import { nameOfReference, type Schema } from './schema.ts'

export type Place = 'sent' | 'received'

/**
 * Words for things of the world, to which a service adds values (§9). Programs may compare with words that
 * this client does not know. Other enumerations are closed: a misspelt `case` does not compile.
 */
const growing = new Set([
  'Jurisdiction',
  'LogoKind',
  'PaymentCategory',
  'PublishedField',
  'RegisterEventType',
  'Role',
  'RoleKey',
  'SubjectKind',
])

/** Draws JSON Schemas as TypeScript, with the named schemas that they use. */
export class TypeDrawer {
  readonly #schemas: Record<string, Schema>
  readonly #drawn = new Map<string, string>()

  constructor(schemas: Record<string, Schema>) {
    this.#schemas = schemas
  }

  /** The named types drawn so far, each before the types that it uses. */
  get named(): string[] {
    return [...this.#drawn.values()]
  }

  type(schema: Schema, place: Place, indent = ''): string {
    if (schema.$ref !== undefined) return this.#reference(nameOfReference(schema.$ref), place)
    if (schema.const !== undefined) return JSON.stringify(schema.const)
    if (schema.enum !== undefined) return enumeration(schema.enum)
    if (schema.allOf !== undefined)
      return schema.allOf.map(each => this.type(each, place, indent)).join(' & ')
    if (schema.anyOf !== undefined) return this.#union(schema.anyOf, place, indent)
    return [schema.type ?? 'object']
      .flat()
      .map(type => this.#ofType(type, schema, place, indent))
      .join(' | ')
  }

  /** Returns the members of an object in braces. */
  members(schema: Schema, place: Place, indent = ''): string {
    const inner = `${indent}  `
    const required = new Set(schema.required)
    const lines = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
      const isRequired = required.has(name)
      const type = this.type(member, place, inner)
      const optional = place === 'sent' ? `${type} | undefined` : type
      const key = /^\w+$/.test(name) ? name : JSON.stringify(name)
      return [
        ...(place === 'sent' ? comment(member.description, inner) : []),
        `${inner}${key}${isRequired ? '' : '?'}: ${isRequired ? type : optional}`,
      ]
    })
    return `{\n${lines.join('\n')}\n${indent}}`
  }

  #reference(name: string, place: Place): string {
    const schema = this.#schemas[name]
    if (schema === undefined) throw new Error(`openapi.json has no schema ${name}`)
    if (!this.#drawn.has(name)) {
      this.#drawn.set(name, '')
      this.#drawn.set(name, this.#declaration(name, schema))
    }
    return place === 'received' && growing.has(name) ? `Open<${name}>` : name
  }

  #declaration(name: string, schema: Schema): string {
    if (schema.properties !== undefined) return `export interface ${name} ${this.members(schema, 'received')}`
    return `export type ${name} = ${this.type(schema, 'sent')}`
  }

  #union(parts: readonly Schema[], place: Place, indent: string): string {
    const values = parts.find(part => part.enum !== undefined)?.enum
    // Accepts the known values, and any other text.
    if (values !== undefined && parts.some(part => part.type === 'string' && part.enum === undefined))
      return `Open<${enumeration(values)}>`
    return [...new Set(parts.map(part => this.type(part, place, indent)))].join(' | ')
  }

  #ofType(type: string, schema: Schema, place: Place, indent: string): string {
    if (type === 'array') {
      const items = this.type(schema.items ?? {}, place, indent)
      const list = items.includes(' ') && !items.startsWith('{') ? `(${items})[]` : `${items}[]`
      return place === 'sent' ? `readonly ${list}` : list
    }
    if (type !== 'object') return type === 'integer' ? 'number' : type
    if (schema.properties !== undefined) return this.members(schema, place, indent)
    const { additionalProperties } = schema
    const values =
      typeof additionalProperties === 'object' ? this.type(additionalProperties, place) : 'unknown'
    return `Record<string, ${values}>`
  }
}

const enumeration = (values: readonly (string | number | null)[]): string =>
  values.map(value => (typeof value === 'string' ? `'${value}'` : String(value))).join(' | ')

/**
 * Returns the first sentence, for parameters only. The whole text, which the service has at /docs, would
 * double the size of the package.
 */
function comment(text: string | undefined, indent: string): string[] {
  const [sentence] =
    text
      ?.replaceAll(/\s+/g, ' ')
      .trim()
      .split(/(?<=[^.]{2}[.])\s(?=[A-Z`])/) ?? []
  return sentence === undefined ? [] : [`${indent}/** ${sentence} */`]
}
