import type { TObject } from '../../core/operation.ts'
import { publishedSchema } from './describe-data.ts'

type ParameterSchema = { type?: string; description?: string; examples?: unknown[] }

/** The parameters of a request that works: of a demo template, for instance. */
export type Sent = Readonly<Record<string, string | readonly string[]>>

/**
 * The query or the path of an operation; a list repeats its name, brackets and all (contract section 1). The examples are
 * together one request that works, `sent`.
 */
export function describeParameters(
  place: 'query' | 'path',
  declaredIn: TObject | undefined,
  sent: Sent = {},
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
      ...(required || value !== undefined ? exampleOf(value ?? examples[0]) : leftOut(examples[0])),
    }
  })
}

const exampleOf = (value: unknown) => (value === undefined ? {} : { example: value })

/**
 * Readers of the document that make a request of it send the first word of every list otherwise, and every example:
 * `x-disabled` keeps them from it, and is seen by nobody else.
 */
function leftOut(value: unknown): object {
  return { examples: { default: { ...(value === undefined ? {} : { value }), 'x-disabled': true } } }
}

function typedValue({ type }: ParameterSchema, text: string | readonly string[]): unknown {
  if (type === 'array') return [text].flat()
  if (type === 'integer') return Number(text)
  return type === 'boolean' ? text === 'true' : text
}
