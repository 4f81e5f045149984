import { type FailureCode, failureCatalogue } from '../../core/failure.ts'
import type { AnyOperation, TObject } from '../../core/operation.ts'
import type { World } from '../../database/open.ts'

const catalogueOrder = Object.keys(failureCatalogue) as FailureCode[]

/** All codes of an operation: its own, and those that src/http raises for it. */
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
  // Without parameters there is only one request, which the demo key may send.
  if (takesParameters || body !== undefined || demo.length === 0) codes.push('demo_key_restricted')
  if (required.length > 0 || body !== undefined) codes.push('missing_parameter')
  if (body !== undefined)
    codes.push('invalid_json', 'body_too_large', 'unsupported_media_type', 'unprocessable_body')
  return codes
}
