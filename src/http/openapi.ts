import type { AnyOperation } from '../core/operation.ts'
import type { World } from '../database/open.ts'
import { aboutTheApi } from './openapi/about.ts'
import {
  answerName,
  envelopeAround,
  envelopeName,
  reference,
  sharedComponents,
} from './openapi/components.ts'
import { describeData } from './openapi/describe-data.ts'
import { describeForm, formFailures, formSchemas } from './openapi/describe-form.ts'
import { describeImages, imageFailures } from './openapi/describe-images.ts'
import { describeOperation } from './openapi/describe-operation.ts'
import { describeTags } from './openapi/describe-tags.ts'
import { type ExampleName, exampleBody } from './openapi/failure-examples.ts'
import { failuresOf } from './openapi/failures-of.ts'
import { nameTypes } from './openapi/name-types.ts'
import { shareResponses } from './openapi/share-responses.ts'

export type Operations = readonly AnyOperation<World>[]

/** The OpenAPI 3.1 document, a pure function of the catalogue (docs/decisions/0001). */
export function openApiDocument(operations: Operations, baseUrl: string): object {
  const shared = sharedComponents()
  const { paths, responses } = shareResponses({
    ...describePaths(operations, baseUrl),
    ...describeForm(),
    ...describeImages(),
  })
  return nameTypes({
    openapi: '3.1.0',
    info: {
      title: 'Baize',
      version: 'v1',
      summary: 'The data API of the gambling industry.',
      description: aboutTheApi(baseUrl),
      contact: { name: 'The operator of this service', url: `${baseUrl}/docs` },
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    security: [{ apiKey: [] }, { bearer: [] }],
    tags: describeTags(operations.map(operation => operation.tag)),
    paths,
    components: {
      ...shared,
      schemas: { ...shared.schemas, ...describeAnswers(operations), ...formSchemas() },
      responses,
      examples: describeExamples(operations, baseUrl),
    },
  })
}

function describeAnswers(operations: Operations): Record<string, object> {
  const described = operations
    .filter(each => each.download === undefined)
    .flatMap(each => [
      [envelopeName(each), envelopeAround(reference('schemas', answerName(each)))],
      [answerName(each), describeData(each)],
    ])
  return Object.fromEntries(described)
}

type Described = ReturnType<typeof describeOperation>

function describePaths(operations: Operations, baseUrl: string): Record<string, Record<string, Described>> {
  const paths: Record<string, Record<string, Described>> = {}
  for (const operation of operations) {
    const methods = paths[operation.path] ?? {}
    methods[operation.method.toLowerCase()] = describeOperation(operation, baseUrl)
    paths[operation.path] = methods
  }
  return paths
}

function describeExamples(operations: Operations, baseUrl: string): Record<string, object> {
  const names = new Set<ExampleName>([
    ...operations.flatMap(failuresOf),
    ...formFailures,
    ...imageFailures,
    'unauthorized',
    'throttled',
  ])
  return Object.fromEntries([...names].map(name => [name, { value: exampleBody(name, baseUrl) }]))
}
