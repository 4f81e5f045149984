import type { TObject } from '../../core/operation.ts'
import { publishedSchema } from './describe-data.ts'

type ParameterSchema = { type?: string; description?: string; examples?: unknown[] }

/** The query of an operation; a list repeats its name, brackets and all (contract section 1). */
export function describeParameters(query: TObject): object[] {
  const required = (query.required as string[] | undefined) ?? []
  return Object.entries(query.properties).map(([name, declared]) => {
    const { description, examples, ...schema } = publishedSchema(declared) as ParameterSchema
    return {
      name,
      in: 'query',
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
      ...(schema.type === 'array' ? { style: 'form', explode: true } : {}),
      schema,
      ...(examples === undefined ? {} : { example: examples[0] }),
    }
  })
}
