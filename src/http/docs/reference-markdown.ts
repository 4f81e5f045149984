import { demoKey } from '../../core/api-key.ts'
import { inCredits } from '../../metering/pricing.ts'
import { clientMethod, clientProgram } from './client-call.ts'
import {
  type ApiDocument,
  answerOf,
  type Operation,
  operationsOf,
  type Parameter,
  parametersOf,
} from './reference-document.ts'
import { longValues, objectTypes, typeWords } from './reference-schema.ts'

/** Writes the whole reference as one text for agents; openapi.json also has the schemas of answers. */
export function referenceMarkdown(document: ApiDocument, baseUrl: string): string {
  const { title, description } = document.info
  const sections = [...byTag(document)].map(
    ([tag, listed]) => `## ${tag}\n\n${listed.map(each => operationText(document, each)).join('\n\n')}`,
  )
  const schemas = `Schemas of answers: [openapi.json](${baseUrl}/openapi.json).`
  return `# ${title}: API reference\n\n${description}\n\n${schemas}\n\n${sections.join('\n\n')}\n`
}

const byTag = (document: ApiDocument) => Map.groupBy(operationsOf(document), ({ tags }) => tags[0] ?? '')

function operationText(document: ApiDocument, operation: Operation): string {
  const { summary, method, path, description } = operation
  return [
    `### ${summary}`,
    `\`${method} ${path}\``,
    description,
    ...parameterTable(document, operation),
  ].join('\n\n')
}

/** Writes the first page of the reference: how to begin, and a line for each operation. */
export function overviewMarkdown(document: ApiDocument, baseUrl: string): string {
  const { summary, description } = document.info
  const [first] = operationsOf(document) as [Operation]
  return [
    '# API reference',
    `${summary} This is the first request, with the demo key, as a program and from a shell:`,
    codeBlock('ts', clientProgram(first, parametersOf(document, first))),
    codeBlock('sh', `curl '${first['x-demo']?.[0]?.url}' \\\n  -H 'X-API-Key: ${demoKey}'`),
    'The TypeScript client [baize-api](clients.md) has a method for each operation. Agents call ' +
      '[tools by MCP](guides/wire-an-agent.md). Generate clients of other languages from ' +
      `[openapi.json](${baseUrl}/openapi.json).`,
    ...[...byTag(document)].map(([tag, listed]) => tagText(document, tag, listed)),
    '## What applies to all operations',
    description,
    '',
  ].join('\n\n')
}

function tagText({ tags }: ApiDocument, tag: string, listed: readonly Operation[]): string {
  const rows = listed.map(
    ({ operationId, summary, method, path, 'x-price': prices = [] }) =>
      `| [${summary}](reference/${operationId}.md) | \`${method} ${path}\` | ${priceWords(prices)} |`,
  )
  const about = tags.find(({ name }) => name === tag)?.description ?? ''
  return `## ${tag}\n\n${about}\n\n| Operation | Request | Price |\n|---|---|---|\n${rows.join('\n')}`
}

function priceWords(prices: readonly { credits: number; unit: string }[]): string {
  if (prices.length === 0) return 'free'
  return prices.map(({ credits, unit }) => `${inCredits(credits)} per ${unit}`).join(', ')
}

/** Writes the page of an operation: what it does, requests that work, its parameters and its answer. */
export function operationMarkdown(document: ApiDocument, operation: Operation): string {
  const { summary, method, path, operationId } = operation
  const inClient = hasMethod(operation) ? `, in the [TypeScript client](../clients.md) ` : ''
  return [
    `# ${summary}`,
    `\`${method} ${path}\`${inClient && `${inClient}\`${clientMethod(operationId)}\``}`,
    withProgram(document, operation),
    ...titled('Parameters', parameterTable(document, operation)),
    ...titled('Values', longValues(document, parametersOf(document, operation))),
    ...titled('Answer', answerTexts(document, operation)),
    '',
  ].join('\n\n')
}

/** The client has a method for each operation that takes a key. */
const hasMethod = ({ path }: Operation) => path.startsWith('/v1/')

const titled = (title: string, texts: string[]) => (texts.length === 0 ? [] : [`## ${title}`, ...texts])

/** Adds the program of the client beside the requests of the description. */
function withProgram(document: ApiDocument, operation: Operation): string {
  const { description } = operation
  if (!hasMethod(operation)) return description
  const program = codeBlock('ts', clientProgram(operation, parametersOf(document, operation)))
  const requests = /```sh\n.*?\n```/s
  return requests.test(description)
    ? description.replace(requests, curls => `${curls}\n\n${program}`)
    : `${description}\n\n${program}`
}

function answerTexts(document: ApiDocument, operation: Operation): string[] {
  const answer = answerOf(document, operation)
  if (answer === null) return []
  const types = objectTypes(document, answer.schema).flatMap(({ title, members }) => {
    const rows = members.map(({ name, type, text }) => `| \`${name}\` | ${type} | ${cell(text)} |`)
    const table = `| Member | Type | Meaning |\n|---|---|---|\n${rows.join('\n')}`
    return title === '' ? ['The members of `data`:', table] : [`### ${title}`, table]
  })
  const { example } = answer
  return [...types, ...titled('Example', example === undefined ? [] : [codeBlock('json', asText(example))])]
}

const asText = (json: unknown) => JSON.stringify(json, null, 2)

function parameterTable(document: ApiDocument, operation: Operation): string[] {
  const rows = parametersOf(document, operation).map(each => parameterRow(document, each))
  return rows.length === 0
    ? []
    : [`| Parameter | In | Type | Meaning |\n|---|---|---|---|\n${rows.join('\n')}`]
}

function parameterRow(document: ApiDocument, parameter: Parameter): string {
  const { name, in: place, required, description = '', schema } = parameter
  const type = `${typeWords(document, schema)}${required ? ', required' : ''}`
  return `| \`${name}\` | ${place} | ${type} | ${cell(description)} |`
}

const cell = (text: string) => text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')
const codeBlock = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``
