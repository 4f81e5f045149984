import { type FailureCode, failureCatalogue } from '../../core/failure.ts'
import type { AnyOperation, TObject } from '../../core/operation.ts'
import type { World } from '../../database/open.ts'
import { everyAnswer, headerReferences, pascalCase, reference } from './components.ts'

const descriptions: Record<number, string> = {
  400: 'A parameter is invalid, missing or unknown.',
  401: 'The key is missing, unknown, expired or revoked.',
  402: '`max_credits` is too low, or the plan does not include the request. Nothing was charged.',
  403: 'The demo key can only send the documented templates.',
  404: 'Nothing matches. Nothing was charged.',
  409: 'The request conflicts with an earlier one, or its inputs with each other. Nothing was charged.',
  413: 'The body is too large.',
  415: 'The body has an unsupported type.',
  422: 'The body has an invalid value.',
  429: 'Too many requests from this IP address (`ThrottleBody`).',
  500: 'The request failed. Nothing was charged.',
  503: 'The service is unavailable.',
}
const quotaDescription =
  'The balance is exhausted (`quota_exceeded`), or too many requests from this IP address.'

/** Error responses by status. */
export type DescribedResponses = Record<string, Record<string, unknown>>

export function describeRefusals(operation: AnyOperation<World>): DescribedResponses {
  const isPriced = operation.prices.length > 0
  return describeCodes(failuresOf(operation), {
    withoutCode: [401, 429],
    of: status => {
      const credits = isPriced ? creditsOf(status) : []
      return { kind: credits.length > 0 ? 'Priced' : '', headers: [...everyAnswer, ...credits] }
    },
  })
}

type OfStatus = {
  /** The prefix of component names. Responses of one kind have the same headers. */
  kind: 'Priced' | 'Form' | 'Image' | ''
  /** The headers that do not depend on the codes. */
  headers: readonly string[]
}

export type ErrorResponses = {
  /** The statuses without a code: no valid key, and the throttle. */
  withoutCode: readonly number[]
  of(status: number): OfStatus
}

export function describeCodes(
  codes: readonly FailureCode[],
  { withoutCode, of }: ErrorResponses,
): DescribedResponses {
  const byStatus = Map.groupBy(codes, code => failureCatalogue[code].status as number)
  const statuses = new Set([...byStatus.keys(), ...withoutCode])
  return Object.fromEntries(
    [...statuses]
      .sort((a, b) => a - b)
      .map(status => [status, describeStatus(status, byStatus.get(status) ?? [], of(status))]),
  )
}

function describeStatus(
  status: number,
  codes: readonly FailureCode[],
  { kind, headers }: OfStatus,
): Record<string, unknown> {
  const isThrottled = status === 429
  const hasQuota = isThrottled && codes.length > 0
  const names = [...codes, ...(status === 401 ? ['unauthorized'] : []), ...(isThrottled ? ['throttled'] : [])]
  const envelope = reference('schemas', 'ErrorEnvelope')
  const throttle = reference('schemas', 'ThrottleBody')
  return {
    ...sharedAs(kind, names),
    description: hasQuota ? quotaDescription : descriptions[status],
    headers: headerReferences([...headers, ...headersOf(status, codes)]),
    content: {
      'application/json': {
        schema: hasQuota ? { oneOf: [envelope, throttle] } : isThrottled ? throttle : envelope,
        examples: Object.fromEntries(names.map(name => [name, reference('examples', name)])),
      },
    },
  }
}

/**
 * Names responses of one or two codes, whose types in generated clients so have a short, stable name.
 * Responses of more codes change more often, and are written at each operation.
 */
function sharedAs(kind: string, names: readonly string[]): { shared?: string } {
  return names.length > 2 ? {} : { shared: `${kind}${names.map(pascalCase).join('Or')}` }
}

/** Returns no credit headers without an account, and no remainder after a 5xx. */
function creditsOf(status: number): string[] {
  if (status === 401 || status === 403) return []
  return status >= 500 ? ['X-Credits-Charged'] : ['X-Credits-Charged', 'X-Credits-Remaining']
}

function headersOf(status: number, codes: readonly FailureCode[]): string[] {
  switch (status) {
    case 401:
      return ['WWW-Authenticate']
    case 402:
      return ['X-Should-Retry']
    case 404:
      return codes.includes('export_pending') ? ['Retry-After'] : []
    case 429:
      return codes.length > 0 ? ['X-Should-Retry', 'Retry-After'] : ['Retry-After']
    case 503:
      return ['Retry-After']
    default:
      return []
  }
}

const catalogueOrder = Object.keys(failureCatalogue) as FailureCode[]

/** Returns all codes of an operation, including those that src/http raises for it. */
export function failuresOf(operation: AnyOperation<World>): FailureCode[] {
  const can = new Set<FailureCode>([...operation.failures, ...edgeFailures(operation)])
  return catalogueOrder.filter(code => can.has(code))
}

function edgeFailures({ query, params, body, prices, demo }: AnyOperation<World>): FailureCode[] {
  const { properties, required = [] } = query as TObject & { required?: string[] }
  const takesParameters = Object.keys(properties).length > 0 || params !== undefined
  const codes: FailureCode[] = ['unknown_parameter', 'internal_error', 'service_unavailable']
  // Priced operations refuse an invalid Idempotency-Key.
  if (takesParameters || prices.length > 0) codes.push('invalid_parameter')
  // An operation without parameters has only one request, which the demo key may send.
  if (takesParameters || body !== undefined || demo.length === 0) codes.push('demo_key_restricted')
  if (required.length > 0 || body !== undefined) codes.push('missing_parameter')
  if (body !== undefined)
    codes.push('invalid_json', 'body_too_large', 'unsupported_media_type', 'unprocessable_body')
  return codes
}
