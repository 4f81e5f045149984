import { demoKey } from '../../core/api-key.ts'
import type { Operation, Parameter } from './reference-document.ts'

/** Returns the name of an operation's method in the TypeScript client: `get_coverage` is `getCoverage`. */
export const clientMethod = (operationId: string): string =>
  operationId.replace(/^show_/, 'get_').replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Writes a program that sends the documented example with the TypeScript client. */
export function clientProgram({ operationId, responses }: Operation, parameters: Parameter[]): string {
  const sent = parameters
    .filter(each => each.in !== 'header' && (each.required || each.example !== undefined))
    .map(({ name, example }): [string, unknown] => [name.replace('[]', ''), example ?? '…'])
  const values = sent.length === 0 ? '' : literal(Object.fromEntries(sent))
  const call = `baize.${clientMethod(operationId)}(${values})`
  const isFile = responses['200']?.content?.['application/json'] === undefined && !('202' in responses)
  const hasPages = parameters.some(({ name }) => name === 'after')
  const answer = isFile ? `await (await ${call}).text()` : `await ${call}`
  return [
    `import { Baize } from 'baize-api'`,
    '',
    `const baize = new Baize({ apiKey: '${demoKey}' })`,
    hasPages ? `for await (const row of ${call}) console.log(row)` : `console.log(${answer})`,
  ].join('\n')
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value === 'string') return `'${value.replaceAll(/['\\]/g, '\\$&')}'`
  if (typeof value !== 'object' || value === null) return String(value)
  const members = Object.entries(value).map(([name, each]) => `${name}: ${literal(each)}`)
  return `{ ${members.join(', ')} }`
}
