import { counted, didYouMean, shown } from '@baize/names'
import type { Static, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { observedSectionNames } from '../../features/observed-sections.ts'
import { explainErrors } from './explain-errors.ts'
import { type ObservationLine, observationSchemas } from './observation-schemas.ts'
import { type RecordKind, recordKinds, recordSchemas } from './record-schemas.ts'

type Plain = { [Kind in keyof typeof recordSchemas]: Static<(typeof recordSchemas)[Kind]> }

export type DatasetRecord = Plain[keyof Plain] | ObservationLine
export type RecordOf<Kind extends RecordKind> = Extract<DatasetRecord, { kind: Kind }>

const notJson = 'not JSON'
const notAnObject = 'not a JSON object'
/** These reasons show that a file has another format, if all of its lines have them. */
export const foreignReasons: ReadonlySet<string> = new Set([notJson, notAnObject])

type ParsedRecord = { ok: true; record: DatasetRecord } | { ok: false; reason: string }

const validators = compileAll(Object.entries(recordSchemas))
const observationValidators = compileAll(observationSchemas)

function compileAll(schemas: Iterable<[string, TSchema]>): ReadonlyMap<string, Validator> {
  return new Map(Array.from(schemas, ([name, schema]) => [name, Compile(schema)]))
}

export function parseRecord(text: string): ParsedRecord {
  const value = parseJson(text)
  if (value === undefined) return reject(notJson)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return reject(notAnObject)
  // PostgreSQL text cannot store U+0000 or unpaired surrogates. In JSON only escapes produce them.
  if (text.includes('\\u') && !isStorable(value)) return reject('contains U+0000 or an unpaired surrogate')

  const found = validatorOf(value as Record<string, unknown>)
  if (typeof found === 'string') return reject(found)
  if (found.Check(value)) return { ok: true, record: value as DatasetRecord }
  const { properties } = found.Type() as { properties: Record<string, FieldFacts> }
  return reject(
    overlongList(value as Record<string, unknown>, properties) ??
      explainErrors(found.Errors(value), Object.keys(properties)),
  )
}

type FieldFacts = { maxItems?: number }

/** Reports an overlong list alone, because validation would compare each item with all others. */
function overlongList(
  value: Record<string, unknown>,
  properties: Record<string, FieldFacts>,
): string | undefined {
  return Object.entries(properties)
    .filter(([name, { maxItems }]) => {
      const list = Object.hasOwn(value, name) ? value[name] : undefined
      return maxItems !== undefined && Array.isArray(list) && list.length > maxItems
    })
    .map(([name, { maxItems }]) => `${name}: must not have more than ${counted(maxItems ?? 0, 'item')}`)[0]
}

function reject(reason: string): ParsedRecord {
  return { ok: false, reason }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The engine's message is not used, because it quotes the line, which may contain an API key.
    return undefined
  }
}

/** Uses a loop, because a line may be nested deeper than the call stack. */
function isStorable(value: unknown): boolean {
  const isText = (each: unknown) => typeof each !== 'string' || (each.isWellFormed() && !each.includes('\0'))
  let level: unknown[] = [value]
  while (level.length > 0 && level.every(isText)) level = level.flatMap(namesAndMembers)
  return level.length === 0
}

function namesAndMembers(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.entries(value).flat() : []
}

function validatorOf({ kind, section }: Record<string, unknown>): Validator | string {
  if (typeof kind !== 'string') return kind === undefined ? 'missing field "kind"' : 'kind: must be a string'
  if (kind !== 'observation') {
    return validators.get(kind) ?? `unknown kind ${shown(kind)}${didYouMean(kind, recordKinds)}`
  }
  if (typeof section !== 'string')
    return section === undefined ? 'missing field "section"' : 'section: must be a string'
  return (
    observationValidators.get(section) ??
    `unknown section ${shown(section)}${didYouMean(section, observedSectionNames)}`
  )
}
