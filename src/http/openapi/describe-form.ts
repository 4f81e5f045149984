import type { FailureCode } from '../../core/failure.ts'
import { type ProspectListForm, prospectListForm } from '../../features/prospect-lists/index.ts'
import {
  formType,
  limitWords,
  operationName,
  received,
  requestsPath,
} from '../public/prospect-list-requests.ts'
import { envelopeAround, envelopeName, headerReferences, reference } from './components.ts'
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

/** Describes the public form (§4.15), which is not an operation because it has no account. */
export function describeForm() {
  const schema = publishedSchema(prospectListForm)
  const media = { schema, example: filledIn }
  return { [requestsPath]: { post: describePost({ [formType]: media, 'application/json': media }) } }
}

function describePost(content: object) {
  const schema = reference('schemas', envelopeName({ name: operationName }))
  const example = { ...received, timestamp: '2026-03-01T12:00:00.000Z' }
  return {
    operationId: operationName,
    tags: ['Prospect lists'],
    summary: 'Request a prospect list',
    description: `Sends a request for a prospect list to staff, who prepare the list and assign it to an
account. No key is needed, and it is free. Empty fields count as not sent. ${limitWords}.

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
        of: status => ({
          kind: 'Form',
          headers: status === 429 ? [...headers, ...throttleHeaders] : headers,
        }),
      }),
    },
  }
}

export function formSchemas(): Record<string, object> {
  const data = {
    type: 'object',
    required: ['status'],
    properties: { status: { const: received.data.status } },
    additionalProperties: false,
  }
  return { [envelopeName({ name: operationName })]: envelopeAround(data) }
}
