/** Whether a description has the shape that its schema wants; each error says what is taken there. */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { TSchema } from 'typebox'
import { didYouMean } from '../../core/near-word.ts'
import { shown } from '../../core/shown-value.ts'
import { descriptionSchema, type Format, formats, formlessSchema } from './description-schema.ts'
import { type Finding, pathText } from './problems.ts'

type Annotated = TSchema & {
  takes?: string
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

const validators = new Map<Format | undefined, ValidateFunction>()

function validatorOf(format: Format | undefined): ValidateFunction {
  const held = validators.get(format)
  if (held !== undefined) return held
  const validate = ajv.compile(format === undefined ? formlessSchema : descriptionSchema(format))
  validators.set(format, validate)
  return validate
}

/** Nothing found: `value` is a Description. */
export function checkShape(value: unknown): Finding[] {
  const validate = validatorOf(formatOf(value))
  if (validate(value)) return []
  const findings = (validate.errors ?? []).flatMap(findingOf)
  // One value can fail in several ways that read alike.
  return [...new Map(findings.map(each => [JSON.stringify(each), each])).values()]
}

function formatOf(value: unknown): Format | undefined {
  const file = typeof value === 'object' && value !== null ? (value as { file?: unknown }).file : undefined
  const format = typeof file === 'object' && file !== null ? (file as { format?: unknown }).format : undefined
  return formats.find(each => each === format)
}

function findingOf(error: ErrorObject): Finding[] {
  const path = pathOf(error.instancePath)
  const { parentSchema = {} } = error as { parentSchema?: Annotated }
  switch (error.keyword) {
    case 'required': {
      const missing = String(error.params.missingProperty)
      const takes = (parentSchema.properties?.[missing] as Annotated | undefined)?.takes ?? 'a value'
      const where = pathText([...path, missing])
      return [{ path, at: 'key', message: `${where} is missing; it takes ${takes}` }]
    }
    case 'additionalProperties': {
      const key = String(error.params.additionalProperty)
      const known = Object.keys(parentSchema.properties ?? {})
      const suggestion = didYouMean(key, known)
      const message = `${pathText(path) || 'a description'} takes no key ${shown(key)}${suggestion}`
      const others = suggestion === '' ? `; it takes ${known.join(', ')}` : ''
      return [{ path: [...path, key], at: 'key', message: message + others }]
    }
    case 'propertyNames': {
      const key = String(error.params.propertyName)
      const { takes } = parentSchema.propertyNames ?? {}
      return [
        { path: [...path, key], at: 'key', message: `${pathText(path)} takes ${takes}, found ${shown(key)}` },
      ]
    }
    default: {
      // The name that `propertyNames` refuses is told there.
      if (error.propertyName !== undefined) return []
      const where = pathText(path) || 'a description'
      return [{ path, at: 'value', message: `${where} takes ${wanted(error, parentSchema)}` }]
    }
  }
}

function wanted(error: ErrorObject, { takes = 'another value', enum: words = [] }: Annotated): string {
  switch (error.keyword) {
    case 'uniqueItems':
      return `${takes}, each once`
    case 'minItems':
    case 'minProperties':
      return `${takes}, at least ${error.params.limit}`
    case 'maxItems':
    case 'maxProperties':
      return `${takes}, at most ${error.params.limit}`
    case 'maxLength':
      return `${takes}, at most ${error.params.limit} characters`
    default:
      return `${takes}, found ${shown(error.data)}${didYouMean(error.data, words)}`
  }
}

function pathOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}
