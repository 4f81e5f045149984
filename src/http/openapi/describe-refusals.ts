import { type FailureCode, failureCatalogue } from '../../core/failure.ts'
import type { AnyOperation } from '../../core/operation.ts'
import type { World } from '../../database/open.ts'
import { everyAnswer, headerReferences, reference } from './components.ts'
import { failuresOf } from './failures-of.ts'

const descriptions: Record<number, string> = {
  400: 'A parameter is invalid, missing or unknown.',
  401: 'The key is missing, unknown, expired or revoked; which of these is not told.',
  402: 'The request could cost more than it may. Nothing was charged.',
  403: 'The demo key asked for something else than the documented templates.',
  404: 'Nothing matches. Nothing was charged.',
  409: 'The request contradicts an earlier one, or itself. Nothing was charged.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  422: 'The body is well formed, but cannot be carried out.',
  429: 'Too many requests from this IP address (`ThrottleBody`).',
  500: 'The request failed before delivery. Nothing was charged.',
  503: 'The service cannot answer right now.',
}
const quotaDescription =
  'The balance is exhausted (`quota_exceeded`), or too many requests from this IP address.'

/** Every status but 200 that an operation can answer, with an example for each code. */
export function describeRefusals(operation: AnyOperation<World>): Record<string, object> {
  const byStatus = Map.groupBy(failuresOf(operation), code => failureCatalogue[code].status as number)
  const statuses = new Set([...byStatus.keys(), 401, 429])
  return Object.fromEntries(
    [...statuses]
      .sort((a, b) => a - b)
      .map(status => [status, describeStatus(status, byStatus.get(status) ?? [])]),
  )
}

function describeStatus(status: number, codes: readonly FailureCode[]): object {
  const isThrottled = status === 429
  const hasQuota = isThrottled && codes.length > 0
  const names = [...codes, ...(status === 401 ? ['unauthorized'] : []), ...(isThrottled ? ['throttled'] : [])]
  const envelope = reference('schemas', 'ErrorEnvelope')
  const throttle = reference('schemas', 'ThrottleBody')
  return {
    description: hasQuota ? quotaDescription : descriptions[status],
    headers: headerReferences([...everyAnswer, ...headersOf(status, codes)]),
    content: {
      'application/json': {
        schema: hasQuota ? { oneOf: [envelope, throttle] } : isThrottled ? throttle : envelope,
        examples: Object.fromEntries(names.map(name => [name, reference('examples', name)])),
      },
    },
  }
}

function headersOf(status: number, codes: readonly FailureCode[]): string[] {
  switch (status) {
    case 401:
      return ['WWW-Authenticate']
    case 402:
      return ['X-Should-Retry']
    case 429:
      return codes.length > 0 ? ['X-Should-Retry', 'Retry-After'] : ['Retry-After']
    case 503:
      return ['Retry-After']
    default:
      return []
  }
}
