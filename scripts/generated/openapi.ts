import { catalogue } from '../../src/catalogue.ts'
import { openApiDocument } from '../../src/http/openapi/openapi.ts'
import { exampleOf, operationExamples } from './examples.ts'

const baseUrl = 'http://localhost:8080'

export async function drawOpenApi(): Promise<string> {
  const examples = new Map<string, unknown>(
    await Promise.all(
      operationExamples.map(async ({ operation, path }) => [operation, await exampleOf(path)] as const),
    ),
  )
  const operations = catalogue.map(operation => ({ ...operation, example: examples.get(operation.name) }))
  return `${JSON.stringify(openApiDocument(operations, baseUrl), null, 2)}\n`
}
