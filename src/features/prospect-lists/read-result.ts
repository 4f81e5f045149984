import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { shown } from '../../core/shown-value.ts'
import { explainErrors, pathOf } from './explain-result.ts'
import { type ProspectListResult, prospectListResult } from './result-schema.ts'

/** As compact JSON: one line of an interchange file. */
export const resultBytesMax = 900 * 1024

const ajv = new Ajv({ strict: false, allErrors: true, verbose: true })
addFormats.default(ajv)
const fits: ValidateFunction<ProspectListResult> = ajv.compile<ProspectListResult>(prospectListResult)

export type ReadResult = { ok: true; result: ProspectListResult } | { ok: false; problems: string[] }

/** §2.13. A problem starts with a path: `target_accounts[3].key_contacts[0]: "name" is missing`. */
export function readResult(value: unknown): ReadResult {
  const bytes = bytesOf(value)
  if (bytes === null) return refuse(['result: is nested too deeply'])
  if (bytes > resultBytesMax)
    return refuse([`result: must have at most ${resultBytesMax} bytes of JSON, and has ${bytes}`])
  if (!fits(value)) return refuse(explainErrors(fits.errors ?? []))
  const halved = halvedText(value, [])
  if (halved !== null) return refuse([`${halved}: contains half of a surrogate pair`])
  const duplicates = duplicateRefs(value)
  return duplicates.length > 0 ? refuse(duplicates) : { ok: true, result: value }
}

/** null: nested too deeply to be stringified. */
function bytesOf(value: unknown): number | null {
  try {
    return Buffer.byteLength(JSON.stringify(value) ?? '')
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function refuse(problems: string[]): ReadResult {
  return { ok: false, problems }
}

/** The path of a text with half a surrogate pair, which PostgreSQL cannot store. */
function halvedText(value: unknown, path: readonly string[]): string | null {
  if (typeof value === 'string') return value.isWellFormed() ? null : pathOf(path)
  if (typeof value !== 'object' || value === null) return null
  for (const [name, member] of Object.entries(value)) {
    const halved = halvedText(member, [...path, name])
    if (halved !== null) return halved
  }
  return null
}

/** A target_ref is unique; a contact_ref is unique within a target, with one name at all targets. */
function duplicateRefs({ target_accounts: targets }: ProspectListResult): string[] {
  const problems: string[] = []
  const targetPaths = new Map<string, string>()
  const people = new Map<string, { name: string; path: string }>()
  for (const [index, target] of targets.entries()) {
    const path = pathOf(['target_accounts', index, 'target_ref'])
    const first = targetPaths.get(target.target_ref)
    if (first !== undefined) problems.push(`${path}: ${shown(target.target_ref)} is already used by ${first}`)
    else targetPaths.set(target.target_ref, path)
    const here = new Set<string>()
    for (const [position, { contact_ref: ref, name }] of target.key_contacts.entries()) {
      const contactPath = pathOf(['target_accounts', index, 'key_contacts', position, 'contact_ref'])
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
