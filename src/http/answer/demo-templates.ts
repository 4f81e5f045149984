import { demoKey } from '../../core/api-key.ts'
import type { AnyOperation, DemoTemplate } from '../../core/operation.ts'
import type { World } from '../../database/open.ts'
import { fingerprint } from '../../metering/idempotency.ts'
import type { Input } from '../read/read-parameters.ts'

/** Returns the path and query of a template: `/v1/domains/resolve?domain=luckyotter.example`. */
export function templatePath(path: string, template: DemoTemplate): string {
  const filled = fillPath(path, template.params ?? {})
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(template.query)) {
    for (const each of [value].flat()) parameters.append(name, each)
  }
  const query = parameters.toString().replaceAll('%5B%5D', '[]')
  return query === '' ? filled : `${filled}?${query}`
}

/**
 * Returns a curl command in its parts. It has `-g`, because curl otherwise reads the brackets of
 * `include[]` as a range.
 */
export function templateCurl(
  { method, path, body }: Pick<AnyOperation<World>, 'method' | 'path' | 'body'>,
  template: DemoTemplate,
  baseUrl: string,
): string[] {
  const bodyOptions =
    body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(template.body ?? {})}'`]
  const curl = body === undefined ? 'curl -g' : `curl -g -X ${method}`
  return [`${curl} '${baseUrl}${templatePath(path, template)}'`, `-H 'X-API-Key: ${demoKey}'`, ...bodyOptions]
}

/** Fills the parameters of a path. A parameter without a value keeps its braces. */
function fillPath(path: string, params: Record<string, string>): string {
  return path.replaceAll(/\{([a-z_]+)\}/g, (braces, name) =>
    params[name] === undefined ? braces : encodeURIComponent(params[name]),
  )
}

/** Returns the fingerprints of an operation's templates, so that any spelling of a template is recognised. */
export function templateFingerprints(
  operation: AnyOperation<World>,
  read: (template: DemoTemplate) => Input,
): ReadonlySet<string> {
  return new Set(operation.demo.map(template => templateFingerprint(operation, read(template))))
}

/**
 * Ignores `max_credits`, `page_size` and `after`, which demo requests may choose. A cursor is signed with
 * the demo world's secret and bound to its filters, so only those of the template's pages are accepted.
 */
export function templateFingerprint(operation: AnyOperation<World>, input: Input): string {
  const { max_credits: _ceiling, page_size: _rows, after: _cursor, ...rest } = input
  return fingerprint(operation, rest).toString('hex')
}
