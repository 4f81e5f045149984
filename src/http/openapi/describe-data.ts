import type { AnyOperation } from '../../core/operation.ts'
import type { World } from '../../database/open.ts'

/** Schema of `data` as it is sent: what the operation declares, and the members that the envelope adds (§2.1). */
export function describeData(operation: AnyOperation<World>): object {
  const declared = publishedSchema(operation.data) as { properties: object; required?: string[] }
  const isPriced = operation.prices.length > 0
  return {
    ...declared,
    properties: {
      ...declared.properties,
      ...(isPriced ? { credits_charged: creditsCharged } : {}),
      ...demoMembers,
    },
    required: [...(declared.required ?? []), ...(isPriced ? ['credits_charged'] : [])],
  }
}

/** Ours, for refusals: which code a wrong value has, and what the schema takes, in words. */
const ownKeywords = new Set(['failure', 'takes'])

/**
 * The schema without our own keywords; `words`, which are told here and judged by the operation itself, read as `enum`. A
 * property of such a name would be an object, and stays.
 */
export function publishedSchema(schema: unknown): unknown {
  return JSON.parse(
    JSON.stringify(schema, (key, value) => {
      if (ownKeywords.has(key) && typeof value === 'string') return undefined
      if (!Array.isArray(value?.words)) return value
      const { words, ...rest } = value
      return { ...rest, enum: words }
    }),
  )
}

const creditsCharged = { type: 'integer', minimum: 0, description: 'What this answer cost, in credits.' }

const demoMembers = {
  demo: { type: 'boolean', description: 'Answers of the demo key only: the data is fictional.' },
  simulated: {
    type: 'boolean',
    description: 'Answers of the demo key only: billing shows what it would have cost.',
  },
  _demo_redactions: {
    type: 'object',
    description: 'Answers of the demo key only: which members are masked.',
    properties: { paths: { type: 'array', items: { type: 'string' } } },
  },
}
