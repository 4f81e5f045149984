import { Failure } from '../core/failure.ts'
import type { Delivery, DemoTemplate } from '../core/operation.ts'
import { fingerprint } from '../metering/idempotency.ts'
import type { MountedOperation } from './mount.ts'
import type { Input } from './read-input.ts'

/** A template as a path that can be copied: `/v1/domains/resolve?domain=luckyotter.example`. */
export function templatePath(path: string, template: DemoTemplate): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(template.query)) {
    for (const each of [value].flat()) parameters.append(name, each)
  }
  const query = parameters.toString().replaceAll('%5B%5D', '[]')
  return query === '' ? path : `${path}?${query}`
}

/** The fingerprints of an operation's templates: another spelling of the same request is the same template. */
export function templatePrints(
  method: string,
  path: string,
  templates: readonly DemoTemplate[],
  read: (query: DemoTemplate['query']) => Input,
): ReadonlySet<string> {
  return new Set(templates.map(template => fingerprint(method, path, read(template.query)).toString('hex')))
}

/** The demo key answers documented templates only (§5 rule 5); `max_credits` may be added to try the ceiling. */
export function requireTemplate(mounted: MountedOperation, input: Input, baseUrl: string): void {
  const { max_credits: _ceiling, ...asked } = input
  const { method, path, demo } = mounted.operation
  if (mounted.demoPrints.has(fingerprint(method, path, asked).toString('hex'))) return
  throw new Failure('demo_key_restricted', {
    details: { templates: demo.map(template => `${baseUrl}${templatePath(path, template)}`) },
  })
}

/** Nothing is charged: billing shows what it would cost, and says so. */
export function simulate(delivery: Delivery<Record<string, unknown>>): Delivery<Record<string, unknown>> {
  const billing = delivery.data.billing
  if (typeof billing !== 'object' || billing === null || !('billing_reason' in billing)) return delivery
  return { ...delivery, data: { ...delivery.data, billing: { ...billing, billing_reason: 'simulated' } } }
}
