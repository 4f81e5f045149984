import { type AnyOperation, successOf, type TObject } from '../../core/operation.ts'
import type { World } from '../../database/open.ts'
import { inCredits, type PriceKey, prices } from '../../metering/pricing.ts'
import { templateCurl, templatePath } from '../answer/demo-templates.ts'
import { envelopeName, everyAnswer, headerReferences, mapValues, reference } from './components.ts'
import { publishedSchema } from './describe-data.ts'
import { describeParameters } from './describe-parameters.ts'
import { type DescribedResponses, describeRefusals, failuresOf } from './describe-refusals.ts'

const pricedAnswer = ['X-Credits-Charged', 'X-Credits-Remaining', 'Idempotency-Replayed']

export function describeOperation(operation: AnyOperation<World>, baseUrl: string) {
  const isPriced = operation.prices.length > 0
  const [template] = operation.demo
  return {
    operationId: operation.name,
    tags: [operation.tag],
    summary: operation.summary,
    description: operationDescription(operation, baseUrl),
    parameters: [
      ...describeParameters('path', operation.params, template?.params),
      ...describeParameters('query', operation.query, template?.query),
      ...(isPriced ? [reference('parameters', 'IdempotencyKey')] : []),
    ],
    ...(operation.body === undefined
      ? {}
      : { requestBody: describeBody(operation.body, template?.body ?? exampleOf(operation.body)) }),
    responses: {
      ...describeSuccess(operation),
      ...describeRefusals(operation),
    },
    'x-price': operation.prices.map(key => ({ key, ...prices[key as PriceKey] })),
    'x-demo': operation.demo.map(template => ({
      ...template,
      url: `${baseUrl}${templatePath(operation.path, template)}`,
    })),
  }
}

/** Returns the documented examples of members, for an operation without a template. */
const exampleOf = ({ properties }: TObject) =>
  Object.fromEntries(
    Object.entries(properties as Record<string, { examples?: unknown[] }>)
      .map(([name, { examples }]) => [name, examples?.[0]])
      .filter(([, example]) => example !== undefined),
  )

function describeBody(body: TObject, example: object): object {
  return { required: true, content: { 'application/json': { schema: publishedSchema(body), example } } }
}

function describeSuccess(operation: AnyOperation<World>): DescribedResponses {
  const headers = headerReferences([
    ...everyAnswer,
    ...(operation.prices.length > 0 ? pricedAnswer : []),
    ...(operation.cacheSeconds === undefined ? [] : ['Cache-Control']),
  ])
  if (operation.download !== undefined) {
    const whole = mapValues(operation.download, schema => ({ schema: publishedSchema(schema) }))
    const part = mapValues(operation.download, () => ({ schema: { type: 'string' } }))
    const tagged = { ...headers, ...headerReferences(['ETag']) }
    const attached = { ...tagged, ...headerReferences(['Content-Disposition', 'Accept-Ranges']) }
    const ranged = { ...attached, ...headerReferences(['Content-Range']) }
    return {
      200: { description: 'The file, as an attachment.', headers: attached, content: whole },
      206: { description: 'The requested range of the file.', headers: ranged, content: part },
      304: {
        shared: 'FileUnchanged',
        description: 'The file has the ETag of `If-None-Match`.',
        headers: tagged,
      },
      416: {
        shared: 'RangeNotSatisfiable',
        description: 'The file does not have this range.',
        headers: ranged,
      },
    }
  }
  const { status, message } = successOf(operation)
  const schema = reference('schemas', envelopeName(operation))
  const content = { 'application/json': { schema, example: operation.example } }
  const { created } = operation
  return {
    [status]: { description: message, headers, content },
    ...(created === undefined ? {} : { 201: { description: created, headers, content } }),
  }
}

function operationDescription(operation: AnyOperation<World>, baseUrl: string): string {
  const codes = failuresOf(operation).map(code => `[\`${code}\`](${baseUrl}/docs/errors/${code})`)
  return [
    operation.description,
    `**Price.** ${describePrice(operation.prices)}`,
    `**Errors.** 401 without a valid key, 429 of the throttle, and ${codes.join(', ')}.`,
    describeDemo(operation, baseUrl),
    `Specification ${operation.section}.`,
  ].join('\n\n')
}

function describePrice(keys: readonly string[]): string {
  if (keys.length === 0) return 'Free.'
  const lines = keys.map(key => {
    const { credits, unit } = prices[key as PriceKey]
    return `${inCredits(credits)} per ${unit} (\`${key}\`)`
  })
  return `${lines.join(', ')}.`
}

function describeDemo(operation: AnyOperation<World>, baseUrl: string): string {
  const { demo } = operation
  if (demo.length === 0) return '**Demo.** Not available with the demo key (403).'
  const curls = demo.map(
    template => `# ${template.title}\n${templateCurl(operation, template, baseUrl).join(' \\\n  ')}`,
  )
  return ['**Demo.** Requests that the demo key can send:', '', '```sh', ...curls, '```'].join('\n')
}
