import type { FailureCode } from '../../core/failure.ts'
import { type ProspectListForm, prospectListForm } from '../../features/prospect-lists/index.ts'
import { formType, limitWords, operationName, path, received } from '../prospect-list-requests.ts'
import { headerReferences, reference } from './components.ts'
import { publishedSchema } from './describe-data.ts'
import { describeCodes } from './describe-refusals.ts'

const headers = ['X-Request-Id']
const throttleHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']

export const formFailures: FailureCode[] = [
  'invalid_parameter',
  'missing_parameter',
  'unknown_parameter',
  'invalid_json',
  'body_too_large',
  'unsupported_media_type',
  'unprocessable_body',
  'internal_error',
  'service_unavailable',
]

const filledIn: ProspectListForm = {
  name: 'Ada Example',
  email: 'ada@luckyotter.example',
  company: 'Ottermoor Gaming Limited',
  request: 'We sell card payments: operators with a British licence, and who decides on payments there.',
  cadence: 'one_time',
}

/** The public form (§4.15): no operation, for it knows no account. */
export function describeForm(): Record<string, object> {
  const schema = publishedSchema(prospectListForm)
  const media = { schema, example: filledIn }
  return { [path]: { post: describePost({ [formType]: media, 'application/json': media }) } }
}

function describePost(content: object): object {
  const data = {
    type: 'object',
    required: ['status'],
    properties: { status: { const: received.data.status } },
    additionalProperties: false,
  }
  const schema = {
    allOf: [reference('schemas', 'SuccessEnvelope'), { type: 'object', properties: { data } }],
  }
  const example = { ...received, timestamp: '2026-03-01T12:00:00.000Z' }
  return {
    operationId: operationName,
    tags: ['Prospect lists'],
    summary: 'Ask for a prospect list',
    description: `The public form: without a key, and free. A person reads what is sent; the list that is made of it is shown to the
account that it is made for. A field that is left empty counts as not sent. ${limitWords}.

Specification §4.15.`,
    security: [],
    requestBody: { required: true, content },
    responses: {
      202: {
        description: received.message,
        headers: headerReferences(headers),
        content: { 'application/json': { schema, example } },
      },
      ...describeCodes(formFailures, {
        withoutCode: [429],
        headers: status => (status === 429 ? [...headers, ...throttleHeaders] : headers),
      }),
    },
  }
}
