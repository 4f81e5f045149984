import { counted, didYouMean, shown } from '@baize/names'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { once } from '../../core/once.ts'
import { acceptedBy, type ProspectListResult, prospectListResult } from './result-schema.ts'

/** The most bytes of a result as compact JSON, which is one line of an interchange file. */
export const resultBytesMax = 900 * 1024

/** A result of more values is checked up to its first problem: a million problems would take seconds. */
const listedValuesMax = 5_000

function newValidator(allErrors: boolean): ValidateFunction<ProspectListResult> {
  const ajv = new Ajv({ strict: false, allErrors, verbose: true })
  addFormats.default(ajv)
  return ajv.compile<ProspectListResult>(prospectListResult)
}

const firstProblem = once(() => newValidator(false))
const allProblems = once(() => newValidator(true))

export type ReadResult = { ok: true; result: ProspectListResult } | { ok: false; problems: string[] }

/**
 * Validates a result (§2.13). A problem begins with its path: `target_accounts[3].key_contacts[0]: "name"
 * is missing`.
 */
export function readResult(value: unknown): ReadResult {
  const bytes = bytesOf(value)
  if (bytes === null) return refuse(['result: is nested too deeply'])
  if (bytes > resultBytesMax)
    return refuse([`result: must have at most ${resultBytesMax} bytes of JSON, and has ${bytes}`])
  const fits = firstProblem()
  if (!fits(value)) return refuse(problemsOf(value, fits.errors ?? []))
  const halved = halvedText(value, [])
  if (halved !== null) return refuse([`${halved}: contains half of a surrogate pair`])
  const duplicates = duplicateRefs(value)
  return duplicates.length > 0 ? refuse(duplicates) : { ok: true, result: value }
}

/** Returns the bytes of a value as JSON; null if it is nested too deeply for that. */
function bytesOf(value: unknown): number | null {
  try {
    return Buffer.byteLength(JSON.stringify(value) ?? '')
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function problemsOf(value: unknown, first: readonly ErrorObject[]): string[] {
  if (hasMoreValues(value, listedValuesMax))
    return [...explainErrors(first), 'result: is large, so that further problems are not listed']
  const fits = allProblems()
  fits(value)
  return explainErrors(fits.errors ?? [])
}

function hasMoreValues(value: unknown, count: number): boolean {
  const waiting: unknown[] = [value]
  for (let seen = 0; waiting.length > 0; seen++) {
    if (seen + waiting.length > count) return true
    const each = waiting.pop()
    if (typeof each === 'object' && each !== null)
      for (const member of Object.values(each)) waiting.push(member)
  }
  return false
}

function refuse(problems: string[]): ReadResult {
  return { ok: false, problems }
}

/** Returns the path of a text with half a surrogate pair, which PostgreSQL cannot store. */
function halvedText(value: unknown, path: readonly string[]): string | null {
  if (typeof value === 'string') return value.isWellFormed() ? null : memberPath(path)
  if (typeof value !== 'object' || value === null) return null
  for (const [name, member] of Object.entries(value)) {
    const halved = halvedText(member, [...path, name])
    if (halved !== null) return halved
  }
  return null
}

/**
 * Finds duplicate refs. A target_ref must be unique. A contact_ref must be unique within a target, and have
 * one name at all targets.
 */
function duplicateRefs({ target_accounts: targets }: ProspectListResult): string[] {
  const problems: string[] = []
  const targetPaths = new Map<string, string>()
  const people = new Map<string, { name: string; path: string }>()
  for (const [index, target] of targets.entries()) {
    const path = memberPath(['target_accounts', index, 'target_ref'])
    const first = targetPaths.get(target.target_ref)
    if (first !== undefined) problems.push(`${path}: ${shown(target.target_ref)} is already used by ${first}`)
    else targetPaths.set(target.target_ref, path)
    const here = new Set<string>()
    for (const [position, { contact_ref: ref, name }] of target.key_contacts.entries()) {
      const contactPath = memberPath(['target_accounts', index, 'key_contacts', position, 'contact_ref'])
      const earlier = people.get(ref)
      if (here.has(ref)) problems.push(`${contactPath}: ${shown(ref)} is already used by this target`)
      else if (earlier !== undefined && earlier.name !== name)
        problems.push(`${contactPath}: ${shown(ref)} is ${shown(earlier.name)} at ${earlier.path}`)
      here.add(ref)
      people.set(ref, earlier ?? { name, path: contactPath })
    }
  }
  return problems
}

function explainErrors(errors: readonly ErrorObject[]): string[] {
  return [
    ...new Set(
      errors.map(error => `${memberPath(error.instancePath.split('/').slice(1))}: ${explain(error)}`),
    ),
  ]
}

/** Writes a path: `target_accounts`, `0`, `name` becomes `target_accounts[0].name`. */
export function memberPath(parts: readonly (string | number)[]): string {
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
      return `must have at least ${counted(params.limit, 'item')}`
    case 'maxItems':
      return `must have at most ${counted(params.limit, 'item')}`
    default:
      return `must have at most ${counted(params.limit, 'character')}`
  }
}

function unknownMember(name: string, schema: ErrorObject['parentSchema']): string {
  const members = Object.keys((schema as { properties?: object } | undefined)?.properties ?? {})
  return `${shown(name)} is not a known member${didYouMean(name, members)}`
}
