import type { ErrorObject } from 'ajv'
import { didYouMean } from '../../core/near-word.ts'
import { shown } from '../../core/shown-value.ts'
import { acceptedBy } from './result-schema.ts'

/** What is wrong with a result, each problem behind the path of its value, for the person who wrote the file. */
export function explainErrors(errors: readonly ErrorObject[]): string[] {
  return [
    ...new Set(errors.map(error => `${pathOf(error.instancePath.split('/').slice(1))}: ${explain(error)}`)),
  ]
}

/** `target_accounts`, `0`, `name` → `target_accounts[0].name`. */
export function pathOf(parts: readonly (string | number)[]): string {
  const path = parts.map(part => (/^\d+$/.test(String(part)) ? `[${part}]` : `.${part}`)).join('')
  return path === '' ? 'the result' : path.replace(/^\./, '')
}

function explain({ keyword, params, parentSchema }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return `${shown(params.missingProperty)} is missing`
    case 'additionalProperties':
      return `${shown(params.additionalProperty)} is none of its members${suggestion(params.additionalProperty, parentSchema)}`
    case 'type':
      return `takes ${[params.type].flat().join(' or ')}`
    case 'enum':
      return `takes ${params.allowedValues.join(' or ')}`
    case 'pattern':
      return `takes ${acceptedBy[params.pattern]}`
    case 'format':
      return 'takes an e-mail address'
    case 'uniqueItems':
      return `says the same at [${Math.min(params.i, params.j)}] and [${Math.max(params.i, params.j)}]`
    case 'minItems':
      return `takes ${params.limit} or more, and has fewer`
    case 'maxItems':
      return `takes ${params.limit} at most, and has more`
    default:
      return `takes ${params.limit} characters at most, and has more`
  }
}

function suggestion(member: string, schema: ErrorObject['parentSchema']): string {
  return didYouMean(member, Object.keys((schema as { properties?: object } | undefined)?.properties ?? {}))
}
