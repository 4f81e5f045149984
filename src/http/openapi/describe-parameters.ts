import type { TObject } from '../../core/operation.ts'
import { publishedSchema } from './describe-data.ts'

type ParameterSchema = { type?: string; description?: string; examples?: unknown[] }

/** The parameters of a working request, such as a demo template. */
export type SentParameter = Readonly<Record<string, string | readonly string[]>>

/**
 * Describes the query or path parameters of an operation. Their examples together are the working request
 * `sent`. Optional parameters outside of it have no example, because programs send every example that they
 * find.
 */
export function describeParameters(
  place: 'query' | 'path',
  declaredIn: TObject | undefined,
  sent: SentParameter = {},
): object[] {
  const requiredNames = (declaredIn?.required as string[] | undefined) ?? []
  return Object.entries(declaredIn?.properties ?? {}).map(([name, declared]) => {
    const { description, examples = [], ...schema } = publishedSchema(declared) as ParameterSchema
    const required = requiredNames.includes(name)
    const value = sent[name] === undefined ? undefined : typedValue(schema, sent[name])
    return {
      name,
      in: place,
      required,
      ...(description === undefined ? {} : { description }),
      ...(schema.type === 'array' ? { style: 'form', explode: true } : {}),
      schema,
      ...exampleOf(value ?? (required ? examples[0] : undefined)),
    }
  })
}

const exampleOf = (value: unknown) => (value === undefined ? {} : { example: value })

function typedValue({ type }: ParameterSchema, text: string | readonly string[]): unknown {
  if (type === 'array') return [text].flat()
  if (type === 'integer') return Number(text)
  return type === 'boolean' ? text === 'true' : text
}
