import type { AnyOperation } from '../../core/operation.ts'
import type { World } from '../../database/open.ts'

/** Returns the schema of `data`, with the members that the envelope adds (§2.1). */
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

/** Our keywords: the error code of an invalid value, and the accepted values in words. */
const ownKeywords = new Set(['failure', 'takes'])

/**
 * Removes our keywords from a schema. `words`, which the operation validates, becomes `enum`; `known` lists
 * usual values beside others. Properties with such names are objects, and stay.
 */
export function publishedSchema(schema: unknown): unknown {
  return JSON.parse(
    JSON.stringify(schema, (key, value) => {
      if (ownKeywords.has(key) && typeof value === 'string') return undefined
      if (Array.isArray(value?.words)) {
        const { words, ...rest } = value
        return { ...rest, enum: words }
      }
      if (Array.isArray(value?.known)) {
        const { known, named, description, ...text } = value
        return { named, description, anyOf: [{ type: 'string', enum: known }, text] }
      }
      return value
    }),
  )
}

const creditsCharged = { type: 'integer', minimum: 0, description: 'Credits charged for this response.' }

const demoMembers = {
  demo: { type: 'boolean', description: 'Only for the demo key: the data is fictional.' },
  simulated: {
    type: 'boolean',
    description: 'Only for the demo key: `billing` shows what the request would cost.',
  },
  _demo_redactions: {
    type: 'object',
    description: 'Only for the demo key: the masked members.',
    properties: { paths: { type: 'array', items: { type: 'string' } } },
  },
}
