import { drawOpenApi } from '../openapi.ts'
import type { ApiDocument } from './schema.ts'

const header = `// Generated from openapi.json by \`npm run generate\`; do not edit.
import { ApiError, type ApiErrorFacts } from './api-error.ts'

`

/** Returns clients/typescript/src/error-codes.ts: a class for each error code. */
export async function drawClientErrorCodes(): Promise<string> {
  const { components } = JSON.parse(await drawOpenApi()) as ApiDocument
  const codes = (components.schemas.FailureCode?.enum ?? []).map(String)
  const classes = codes.map(code => `export class ${classOf(code)} extends ApiError {}`)
  const entries = codes.map(code => `  ${code}: ${classOf(code)},`)
  return [
    header,
    classes.join('\n'),
    '\n\nexport const errorClasses: Record<string, new (facts: ApiErrorFacts) => ApiError> = {\n',
    entries.join('\n'),
    '\n}\n',
  ].join('')
}

/** Names the class of a code. That of `internal_error` is InternalError, not InternalErrorError. */
function classOf(code: string): string {
  const words = code.replace(/_error$/, '').split('_')
  return `${words.map(word => `${word[0]?.toUpperCase()}${word.slice(1)}`).join('')}Error`
}
