import { demoKey } from '../core/api-key.ts'
import { Failure } from '../core/failure.ts'
import type { AnyOperation, Delivery, DemoTemplate } from '../core/operation.ts'
import type { World } from '../database/open.ts'
import { fingerprint } from '../metering/idempotency.ts'
import type { MountedOperation } from './mount.ts'
import type { Input } from './read-parameters.ts'

/** A template as a path that can be copied: `/v1/domains/resolve?domain=luckyotter.example`. */
export function templatePath(path: string, template: DemoTemplate): string {
  const filled = filledPath(path, template.params ?? {})
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(template.query)) {
    for (const each of [value].flat()) parameters.append(name, each)
  }
  const query = parameters.toString().replaceAll('%5B%5D', '[]')
  return query === '' ? filled : `${filled}?${query}`
}

/**
 * A template as a command that works as it is printed, in its parts. `-g`, because curl reads the brackets of `include[]` as
 * a range of its own otherwise.
 */
export function templateCurl(
  { method, path, body }: Pick<AnyOperation<World>, 'method' | 'path' | 'body'>,
  template: DemoTemplate,
  baseUrl: string,
): string[] {
  const sent =
    body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(template.body ?? {})}'`]
  const curl = body === undefined ? 'curl -g' : `curl -g -X ${method}`
  return [`${curl} '${baseUrl}${templatePath(path, template)}'`, `-H 'X-API-Key: ${demoKey}'`, ...sent]
}

/** A path with what stands in its braces; a name without a value stays as it is. */
function filledPath(path: string, params: Record<string, string>): string {
  return path.replaceAll(/\{([a-z_]+)\}/g, (braces, name) =>
    params[name] === undefined ? braces : encodeURIComponent(params[name]),
  )
}

/** The fingerprints of an operation's templates: another spelling of the same request is the same template. */
export function templatePrints(
  method: string,
  path: string,
  templates: readonly DemoTemplate[],
  read: (template: DemoTemplate) => Input,
): ReadonlySet<string> {
  return new Set(templates.map(template => printOf(method, path, read(template))))
}

/** Whatever the ceiling and the size of the page: a preview's `next_action` is the same template. */
function printOf(method: string, path: string, input: Input): string {
  const { max_credits: _ceiling, page_size: _rows, ...asked } = input
  return fingerprint(method, path, asked).toString('hex')
}

const keyNeeded =
  'The demo key is shared, and has nothing of its own to show here. Ask with a key of your account: the operator of the service makes one with `baize key create`.'

/** The demo key answers documented templates only (§5 rule 5), with any `max_credits` and `page_size`. */
export function requireTemplate(mounted: MountedOperation, input: Input, baseUrl: string): void {
  const { operation } = mounted
  const { method, path, demo } = operation
  if (mounted.demoPrints.has(printOf(method, path, input))) return
  throw new Failure('demo_key_restricted', {
    ...(demo.length > 0 ? {} : { message: keyNeeded }),
    details: {
      templates: demo.map(template => `${baseUrl}${templatePath(path, template)}`),
      curl: demo.map(template => templateCurl(operation, template, baseUrl).join(' ')),
    },
  })
}

/** Nothing is charged: billing shows what it would cost, and says so. */
export function simulate(delivery: Delivery<Record<string, unknown>>): Delivery<Record<string, unknown>> {
  const billing = delivery.data.billing
  if (typeof billing !== 'object' || billing === null || !('billing_reason' in billing)) return delivery
  return { ...delivery, data: { ...delivery.data, billing: { ...billing, billing_reason: 'simulated' } } }
}
