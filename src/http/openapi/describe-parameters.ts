import type { TObject } from '../../core/operation.ts'
import { publishedSchema } from './describe-data.ts'

type ParameterSchema = { type?: string; description?: string; examples?: unknown[] }

/** The query or the path of an operation; a list repeats its name, brackets and all (contract section 1). */
export function describeParameters(place: 'query' | 'path', declaredIn: TObject | undefined): object[] {
  const required = (declaredIn?.required as string[] | undefined) ?? []
  return Object.entries(declaredIn?.properties ?? {}).map(([name, declared]) => {
    const { description, examples, ...schema } = publishedSchema(declared) as ParameterSchema
    return {
      name,
      in: place,
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
      ...(schema.type === 'array' ? { style: 'form', explode: true } : {}),
      schema,
      ...(examples === undefined ? {} : { example: examples[0] }),
    }
  })
}
