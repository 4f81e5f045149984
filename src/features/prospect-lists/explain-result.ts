import type { ErrorObject } from 'ajv'
import { didYouMean } from '../../core/near-word.ts'
import { shown } from '../../core/shown-value.ts'
import { acceptedBy } from './result-schema.ts'

export function explainErrors(errors: readonly ErrorObject[]): string[] {
  return [
    ...new Set(errors.map(error => `${pathOf(error.instancePath.split('/').slice(1))}: ${explain(error)}`)),
  ]
}

/** `target_accounts`, `0`, `name` → `target_accounts[0].name`. */
export function pathOf(parts: readonly (string | number)[]): string {
  const path = parts.map(part => (/^\d+$/.test(String(part)) ? `[${part}]` : `.${part}`)).join('')
  return path === '' ? 'result' : path.replace(/^\./, '')
}

function explain({ keyword, params, parentSchema }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return `${shown(params.missingProperty)} is missing`
    case 'additionalProperties':
      return unknownMember(params.additionalProperty, parentSchema)
    case 'type':
      return `must be ${[params.type].flat().join(' or ')}`
    case 'enum':
      return `must be ${params.allowedValues.join(' or ')}`
    case 'pattern':
      return `must be ${acceptedBy[params.pattern]}`
    case 'format':
      return 'must be an e-mail address'
    case 'uniqueItems':
      return `has equal items at [${Math.min(params.i, params.j)}] and [${Math.max(params.i, params.j)}]`
    case 'minItems':
      return `must have ${params.limit} or more items`
    case 'maxItems':
      return `must have at most ${params.limit} items`
    default:
      return `must have at most ${params.limit} characters`
  }
}

function unknownMember(name: string, schema: ErrorObject['parentSchema']): string {
  const members = Object.keys((schema as { properties?: object } | undefined)?.properties ?? {})
  return `${shown(name)} is not a known member${didYouMean(name, members)}`
}
