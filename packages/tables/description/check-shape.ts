import { didYouMean, shown } from '@baize/names'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { TSchema } from 'typebox'
import { type Format, formats } from './file-forms.ts'
import { type LocatedProblem, pathText } from './locate.ts'

type Annotated = TSchema & {
  accepts?: string
  enum?: string[]
  properties?: Record<string, TSchema>
  propertyNames?: Annotated
}

const ajv = new Ajv({
  strict: false,
  allErrors: true,
  verbose: true,
  ownProperties: true,
  coerceTypes: false,
})

/** Checks values by `schemaOf(format)`. The format is undefined when it is missing or unknown. */
export function shapeChecker(
  schemaOf: (format: Format | undefined) => TSchema,
): (value: unknown) => LocatedProblem[] {
  const validators = new Map<Format | undefined, ValidateFunction>()
  return value => {
    const format = formatOf(value)
    const validate = validators.get(format) ?? ajv.compile(schemaOf(format))
    validators.set(format, validate)
    if (validate(value)) return []
    const findings = (validate.errors ?? []).flatMap(findingOf)
    // Equal messages are merged, because one value can fail several rules with the same message.
    return [...new Map(findings.map(each => [JSON.stringify(each), each])).values()]
  }
}

function formatOf(value: unknown): Format | undefined {
  const file = typeof value === 'object' && value !== null ? (value as { file?: unknown }).file : undefined
  const format = typeof file === 'object' && file !== null ? (file as { format?: unknown }).format : undefined
  return formats.find(each => each === format)
}

function findingOf(error: ErrorObject): LocatedProblem[] {
  const path = pathOf(error.instancePath)
  const { parentSchema = {} } = error as { parentSchema?: Annotated }
  switch (error.keyword) {
    case 'required': {
      const missing = String(error.params.missingProperty)
      const accepts = (parentSchema.properties?.[missing] as Annotated | undefined)?.accepts ?? 'a value'
      const where = pathText([...path, missing])
      return [{ path, at: 'key', message: `${where} is missing; it must be ${accepts}` }]
    }
    case 'additionalProperties': {
      const key = String(error.params.additionalProperty)
      const known = Object.keys(parentSchema.properties ?? {})
      const suggestion = didYouMean(key, known)
      const message = `${pathText(path) || 'a description'} has an unknown key ${shown(key)}${suggestion}`
      const others = suggestion === '' ? `; the known keys are ${known.join(', ')}` : ''
      return [{ path: [...path, key], at: 'key', message: message + others }]
    }
    case 'propertyNames': {
      const key = String(error.params.propertyName)
      const { accepts } = parentSchema.propertyNames ?? {}
      return [
        {
          path: [...path, key],
          at: 'key',
          message: `${pathText(path)} must be ${accepts}, found ${shown(key)}`,
        },
      ]
    }
    default: {
      if (error.propertyName !== undefined) return []
      const where = pathText(path) || 'a description'
      return [{ path, at: 'value', message: `${where} must be ${wanted(error, parentSchema)}` }]
    }
  }
}

function wanted(error: ErrorObject, { accepts = 'another value', enum: words = [] }: Annotated): string {
  switch (error.keyword) {
    case 'uniqueItems':
      return `${accepts}, each once`
    case 'minItems':
    case 'minProperties':
      return `${accepts}, at least ${error.params.limit}`
    case 'maxItems':
    case 'maxProperties':
      return `${accepts}, at most ${error.params.limit}`
    case 'maxLength':
      return `${accepts}, at most ${error.params.limit} characters`
    default:
      return `${accepts}, found ${shown(error.data)}${didYouMean(error.data, words)}`
  }
}

function pathOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}
