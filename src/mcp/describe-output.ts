import type { AnyOperation } from '../core/operation.ts'
import type { World } from '../database/open.ts'
import type { Tool } from './tool.ts'

export type JsonSchema = Record<string, unknown>
export type ObjectSchema = { type: 'object'; [keyword: string]: unknown }

/** The members that every result has, also that of a refused call. */
export const chargeMembers: Readonly<Record<string, JsonSchema>> = {
  credits_charged: { type: 'integer' },
  credits_remaining: { type: ['integer', 'null'] },
}

/**
 * Describes the members of a tool's results with their types. Only the charge is required, because results
 * of refused calls have `code` and `message` instead, and some clients validate these, too.
 */
export function describeOutput(tool: Tool, called: readonly AnyOperation<World>[]): ObjectSchema {
  const types = new Map<string, Set<string>>()
  for (const { data } of called)
    for (const [name, schema] of Object.entries(data.properties)) {
      const known = types.get(name) ?? []
      types.set(name, new Set([...known, ...typesOf(schema as JsonSchema)]))
    }
  const members = [...types].map(([name, each]): [string, JsonSchema] => [name, schemaOf(each)])
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(members),
      ...(tool.note === undefined ? {} : { note: { type: 'string' } }),
      ...chargeMembers,
    },
    required: Object.keys(chargeMembers),
  }
}

function schemaOf(types: ReadonlySet<string>): JsonSchema {
  const [type, ...others] = types
  return type === undefined ? {} : { type: others.length === 0 ? type : [type, ...others] }
}

/** Returns the JSON types of a schema. */
function typesOf({ type, anyOf, enum: values, const: value }: JsonSchema): Set<string> {
  if (type !== undefined) return new Set([type].flat() as string[])
  if (Array.isArray(anyOf)) return new Set(anyOf.flatMap(each => [...typesOf(each)]))
  return new Set([values ?? value].flat().map(each => (each === null ? 'null' : typeof each)))
}
