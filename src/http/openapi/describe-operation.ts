import { demoKey } from '../../core/api-key.ts'
import type { AnyOperation } from '../../core/operation.ts'
import type { World } from '../../database/open.ts'
import { type PriceKey, prices } from '../../metering/pricing.ts'
import { templatePath } from '../demo.ts'
import { componentName, everyAnswer, headerReferences, reference } from './components.ts'
import { describeParameters } from './describe-parameters.ts'
import { describeRefusals } from './describe-refusals.ts'
import { failuresOf } from './failures-of.ts'

const pricedAnswer = ['X-Credits-Charged', 'X-Credits-Remaining', 'Idempotency-Replayed']

export function describeOperation(operation: AnyOperation<World>, baseUrl: string): object {
  const isPriced = operation.prices.length > 0
  return {
    operationId: operation.name,
    tags: [operation.tag],
    summary: operation.summary,
    description: describe(operation, baseUrl),
    parameters: [
      ...describeParameters(operation.query),
      ...(isPriced ? [reference('parameters', 'IdempotencyKey')] : []),
    ],
    responses: {
      200: {
        description: 'OK',
        headers: headerReferences(isPriced ? [...everyAnswer, ...pricedAnswer] : everyAnswer),
        content: { 'application/json': { schema: envelopeAround(operation), example: operation.example } },
      },
      ...describeRefusals(operation),
    },
    'x-price': operation.prices.map(key => ({ key, ...prices[key as PriceKey] })),
    'x-demo': operation.demo.map(template => ({
      ...template,
      url: `${baseUrl}${templatePath(operation.path, template)}`,
    })),
  }
}

function describe(operation: AnyOperation<World>, baseUrl: string): string {
  const codes = failuresOf(operation).map(code => `[\`${code}\`](${baseUrl}/docs/errors/${code})`)
  return [
    operation.description,
    `**Price.** ${describePrice(operation.prices)}`,
    `**Refusals.** 401 without a valid key, 429 from the throttle, and ${codes.join(', ')}.`,
    describeDemo(operation, baseUrl),
    `Specification ${operation.section}.`,
  ].join('\n\n')
}

function describePrice(keys: readonly string[]): string {
  if (keys.length === 0) return 'Free.'
  const lines = keys.map(key => {
    const { credits, unit } = prices[key as PriceKey]
    return `${credits} ${credits === 1 ? 'credit' : 'credits'} per ${unit} (\`${key}\`)`
  })
  return `${lines.join(', ')}.`
}

function envelopeAround(operation: AnyOperation<World>): object {
  return {
    allOf: [
      reference('schemas', 'SuccessEnvelope'),
      { type: 'object', properties: { data: reference('schemas', componentName(operation)) } },
    ],
  }
}

/** `-g`, because curl reads the brackets of `include[]` as a range of its own otherwise. */
function describeDemo({ path, demo }: AnyOperation<World>, baseUrl: string): string {
  const curls = demo.map(
    template =>
      `# ${template.title}\ncurl -g '${baseUrl}${templatePath(path, template)}' \\\n  -H 'X-API-Key: ${demoKey}'`,
  )
  return ['**Demo.** What the demo key may send here:', '', '```sh', ...curls, '```'].join('\n')
}
