import { Failure } from '../../core/failure.ts'
import type { Delivery } from '../../core/operation.ts'
import type { Input } from '../read/read-parameters.ts'
import { templateCurl, templateFingerprint, templatePath } from './demo-templates.ts'
import type { MountedOperation } from './mounted-operation.ts'

const keyNeeded =
  'This operation has no demo data; use a key of your account. Create one with `baize key create`.'

/**
 * Refuses requests of the demo key unless they are documented templates (§5 rule 5).
 * These may have any `max_credits` and `page_size`, and their cursors.
 */
export function requireTemplate(mounted: MountedOperation, input: Input, baseUrl: string): void {
  const { operation, demoFingerprints } = mounted
  if (demoFingerprints().has(templateFingerprint(operation, input))) return
  const { path, demo } = operation
  throw new Failure('demo_key_restricted', {
    ...(demo.length > 0 ? {} : { message: keyNeeded }),
    details: {
      templates: demo.map(template => `${baseUrl}${templatePath(path, template)}`),
      curl: demo.map(template => templateCurl(operation, template, baseUrl).join(' ')),
    },
  })
}

/** Makes demo requests free. `billing` shows the price, with the reason `simulated`. */
export function simulate(delivery: Delivery<Record<string, unknown>>): Delivery<Record<string, unknown>> {
  const billing = delivery.data.billing
  if (typeof billing !== 'object' || billing === null || !('billing_reason' in billing)) return delivery
  return { ...delivery, data: { ...delivery.data, billing: { ...billing, billing_reason: 'simulated' } } }
}
