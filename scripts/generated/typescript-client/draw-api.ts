import { readFile } from 'node:fs/promises'
import { clientMethod } from '../../../src/http/docs/client-call.ts'
import { drawOpenApi } from '../openapi.ts'
import { TypeDrawer } from './draw-type.ts'
import { type ApiDocument, type Described, nameOfReference, type Schema } from './schema.ts'

const header = `// Generated from openapi.json by \`npm run generate\`; do not edit.
import type { Call, CallOptions } from './call.ts'
import type { Pages, PagesOptions } from './pages.ts'
`

/** \`string & {}\` keeps the suggestions of editors. */
const open = `/** One of the values that this version knows, or another one: services add such values. */
export type Open<Known extends string> = Known | (string & {})
`

const operationType = `export type Operation = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Parameters are in braces. */
  path: string
  /** Takes an Idempotency-Key, and \`max_credits\`. */
  isPriced: boolean
  /** The member of the answer with the rows of a page. */
  rows?: string
  /** Answers with a file instead of JSON. */
  isFile?: boolean
}
`

const classHead = `/** The operations of the API; parameters and fields have the names of the wire. */
export abstract class Operations {
  protected abstract call<Answer>(operation: Operation, params: object, options?: CallOptions): Call<Answer>
  protected abstract pages<Answer, Row>(
    operation: Operation,
    params: object,
    options?: PagesOptions<Answer>,
  ): Pages<Answer, Row>
`

/** Returns clients/typescript/src/api.ts: the types, and a method for each operation under /v1. */
export async function drawClientApi(): Promise<string> {
  const document = JSON.parse(await drawOpenApi()) as ApiDocument
  const { version } = JSON.parse(
    await readFile(new URL('../../../clients/typescript/package.json', import.meta.url), 'utf8'),
  )
  const types = new TypeDrawer(document.components.schemas)
  const operations = Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, described]) =>
        drawOperation(types, document, { path, method: method.toUpperCase(), described }),
      ),
    )
  return [
    header,
    `/** The version of this package. */\nexport const version = '${version}'\n`,
    open,
    operationType,
    ...operations.map(({ params }) => params).filter(text => text !== ''),
    ...types.named.map(text => `${text}\n`),
    `${classHead}\n${operations.map(({ method }) => method).join('\n\n')}\n}\n`,
  ].join('\n')
}

type Found = { path: string; method: string; described: Described }

function drawOperation(
  types: TypeDrawer,
  document: ApiDocument,
  { path, method, described }: Found,
): { params: string; method: string } {
  const { operationId, summary } = described
  const words = operationId.split('_').map(word => `${word[0]?.toUpperCase()}${word.slice(1)}`)
  const name = words.join('')
  const sent = parametersOf(described)
  const hasParams = Object.keys(sent.properties ?? {}).length > 0
  const answer = answerOf(document, described)
  const rows = answer === null ? undefined : rowsOf(document.components.schemas[answer], sent)
  const operation = {
    method,
    path,
    isPriced: described['x-price'].length > 0,
    ...(rows === undefined ? {} : { rows: rows.name }),
    ...(answer === null ? { isFile: true } : {}),
  }
  const answerType = answer === null ? 'Response' : types.type({ $ref: answer }, 'received')
  const list = `${answer}['${rows?.name}']`
  const rowType = `${rows?.isOptional ? `NonNullable<${list}>` : list}[number]`
  const [result, send] = rows ? [`Pages<${answer}, ${rowType}>`, 'pages'] : [`Call<${answerType}>`, 'call']
  const params = hasParams ? `params: ${name}Params${(sent.required ?? []).length > 0 ? '' : ' = {}'}, ` : ''
  const methodName = clientMethod(operationId)
  const declared = `(${params}options?: ${rows ? `PagesOptions<${answer}>` : 'CallOptions'}): ${result} {`
  const alias = [
    `  /** @deprecated Use ${methodName}. */`,
    `  ${name[0]?.toLowerCase()}${name.slice(1)}${declared}`,
    `    return this.${methodName}(${hasParams ? 'params, ' : ''}options)`,
    '  }',
  ]
  return {
    params: hasParams ? `export interface ${name}Params ${types.members(sent, 'sent')}\n` : '',
    method: [
      `  /** ${summary}. ${priceOf(described)} */`,
      `  ${methodName}${declared}`,
      `    return this.${send}(${JSON.stringify(operation)}, ${hasParams ? 'params' : '{}'}, options)`,
      '  }',
      ...(name.startsWith('Show') ? ['', ...alias] : []),
    ].join('\n'),
  }
}

function priceOf({ 'x-price': prices }: Described): string {
  if (prices.length === 0) return 'Free.'
  const parts = prices.map(({ credits, unit }) => `${credits} credit${credits === 1 ? '' : 's'} per ${unit}`)
  return `${parts.join(', ')}.`
}

/**
 * Joins query, path and body into one object, because their names differ. Lists are written without
 * brackets. If the API accepts both `name` and `name[]`, the client accepts either.
 */
function parametersOf({ parameters = [], requestBody }: Described): Schema {
  const properties: Record<string, Schema> = {}
  const required: string[] = []
  const add = (wireName: string, schema: Schema) => {
    const name = wireName.replace('[]', '')
    const first = properties[name]
    if (first === undefined) properties[name] = schema
    else if (first.type !== 'array') properties[name] = { ...first, enum: undefined, anyOf: [first, schema] }
  }
  for (const { $ref, name, in: place, required: isRequired, description, schema } of parameters) {
    if ($ref !== undefined || place === 'header') continue
    add(name, { ...schema, ...(description && { description }) })
    if (isRequired) required.push(name.replace('[]', ''))
  }
  const body = requestBody?.content['application/json']?.schema
  for (const [name, schema] of Object.entries(body?.properties ?? {})) add(name, schema)
  return { type: 'object', properties, required: [...required, ...(body?.required ?? [])] }
}

/** Returns the name of the schema of `data`; null for a file. */
function answerOf({ components }: ApiDocument, { operationId, responses }: Described): string | null {
  const content = (responses['200'] ?? responses['202'])?.content?.['application/json']
  const envelope = components.schemas[nameOfReference(content?.schema.$ref ?? '')]
  if (envelope === undefined) return null
  const data = envelope.allOf?.at(-1)?.properties?.data?.$ref
  if (data === undefined) throw new Error(`the envelope of ${operationId} has no data`)
  return nameOfReference(data)
}

const rowNames = ['hits', 'domains', 'contacts', 'signals', 'prospect_lists', 'changes', 'lobby_runs']

/** Returns the member with the rows, if the operation has pages. */
function rowsOf(answer: Schema | undefined, sent: Schema): { name: string; isOptional: boolean } | undefined {
  if (answer?.properties?.next_cursor === undefined || sent.properties?.after === undefined) return undefined
  const name = rowNames.find(each => answer.properties?.[each]?.type === 'array')
  if (name === undefined) throw new Error(`name the rows of ${Object.keys(answer.properties)}`)
  return { name, isOptional: !answer.required?.includes(name) }
}
