import { readFileSync } from 'node:fs'
import type { FailureCode } from '../../core/failure.ts'
import { keysPage } from '../answer/failures.ts'
import { docsDirectory, writtenBaseUrl } from '../docs/page-files.ts'
import { throttledBody } from '../throttle.ts'

const withoutCode = {
  unauthorized: {
    success: false,
    message: 'Unauthorized',
    errors: {},
    doc_url: `${writtenBaseUrl}${keysPage}`,
    timestamp: '2026-03-01T12:00:00.000Z',
  },
  throttled: throttledBody('100 requests per minute and IP address are allowed', 17),
}

export type ExampleName = FailureCode | keyof typeof withoutCode

/** Returns an answer with the code, as the code's page shows it. */
export function exampleBody(name: ExampleName, baseUrl: string): object {
  const text =
    name === 'unauthorized' || name === 'throttled' ? JSON.stringify(withoutCode[name]) : exampleOf(name)
  return JSON.parse(text.replaceAll(writtenBaseUrl, baseUrl))
}

function exampleOf(code: FailureCode): string {
  const page = readFileSync(new URL(`errors/${code}.md`, docsDirectory), 'utf8')
  const [, example] = /^## Example\n\n```json\n(.*?)```/ms.exec(page) ?? []
  if (example === undefined) throw new Error(`docs/errors/${code}.md must have an example`)
  return example
}
