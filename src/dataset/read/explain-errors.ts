import { didYouMean, shown } from '@baize/names'
import type { TLocalizedValidationError } from 'typebox/error'
import { patternWords } from './record-fields.ts'

const problemsShownMax = 3

export function explainErrors(
  errors: readonly TLocalizedValidationError[],
  fields: readonly string[],
): string {
  const unknown: string[] = []
  const other: string[] = []
  for (const error of errors) {
    if (error.keyword === 'additionalProperties') {
      // These `fields` are those of the record, not of nested objects.
      for (const field of error.params.additionalProperties) {
        const suggestion = error.instancePath === '' ? didYouMean(field, fields) : ''
        unknown.push(`unknown field ${shown(pathOf(error.instancePath, field))}${suggestion}`)
      }
    } else if (error.keyword === 'required') {
      for (const field of error.params.requiredProperties) {
        other.push(`missing field ${shown(pathOf(error.instancePath, field))}`)
      }
    } else if (error.keyword !== 'boolean') {
      other.push(`${pathOf(error.instancePath)}: ${explainValue(error)}`)
    }
  }
  const problems = [...new Set([...unknown, ...other])]
  return problems.slice(0, problemsShownMax).join('; ') || 'does not match the schema of its kind'
}

/** Converts the path `/apps/0` and the field `url` to `apps[0].url`. */
function pathOf(instancePath: string, field?: string): string {
  const path = instancePath
    .slice(1)
    .replaceAll(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.')
  return [path, field].filter(part => part !== undefined && part !== '').join('.')
}

function explainValue(error: TLocalizedValidationError): string {
  switch (error.keyword) {
    case 'enum':
      return `must be one of ${error.params.allowedValues.map(value => String(value)).join(', ')}`
    case 'format':
      return error.params.format === 'date'
        ? 'must be a date, YYYY-MM-DD'
        : 'must be a time, ISO 8601 with an offset'
    case 'pattern':
      return patternWords[String(error.params.pattern)] ?? error.message
    default:
      return error.message
  }
}
