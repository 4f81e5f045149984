import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { shown } from '../../core/shown-value.ts'
import { explainErrors, pathOf } from './explain-result.ts'
import { type ProspectListResult, prospectListResult } from './result-schema.ts'

/** As compact JSON: a line of an interchange file has to have room for it. */
export const resultBytesMax = 900 * 1024

const ajv = new Ajv({ strict: false, allErrors: true, verbose: true })
addFormats.default(ajv)
const fits: ValidateFunction<ProspectListResult> = ajv.compile<ProspectListResult>(prospectListResult)

export type ReadResult = { ok: true; result: ProspectListResult } | { ok: false; problems: string[] }

/**
 * A delivered result, held against the closed schema of §2.13. Each problem begins with the path of the value that it is
 * about: `target_accounts[3].key_contacts[0]: "name" is missing`.
 */
export function readResult(value: unknown): ReadResult {
  const bytes = bytesOf(value)
  if (bytes === null) return refuse(['the result: is nested too deeply'])
  if (bytes > resultBytesMax)
    return refuse([`the result: takes ${resultBytesMax} bytes of JSON at most, and has ${bytes}`])
  if (!fits(value)) return refuse(explainErrors(fits.errors ?? []))
  const halved = halvedText(value, [])
  if (halved !== null) return refuse([`${halved}: holds half a character`])
  const shared = sharedRefs(value)
  return shared.length > 0 ? refuse(shared) : { ok: true, result: value }
}

/** null: nobody nests so deeply but to see what happens. */
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

/** Where a text holds half of a surrogate pair, which PostgreSQL does not store. */
function halvedText(value: unknown, path: readonly string[]): string | null {
  if (typeof value === 'string') return value.isWellFormed() ? null : pathOf(path)
  if (typeof value !== 'object' || value === null) return null
  for (const [name, member] of Object.entries(value)) {
    const found = halvedText(member, [...path, name])
    if (found !== null) return found
  }
  return null
}

/**
 * A ref names one target, or one person: no target twice, nobody twice at one target. The same person may be a contact of
 * several targets, under one ref and one name.
 */
function sharedRefs({ target_accounts: targets }: ProspectListResult): string[] {
  const problems: string[] = []
  const targetPaths = new Map<string, string>()
  const people = new Map<string, { name: string; path: string }>()
  for (const [index, target] of targets.entries()) {
    const path = pathOf(['target_accounts', index, 'target_ref'])
    const first = targetPaths.get(target.target_ref)
    if (first !== undefined) problems.push(`${path}: ${shown(target.target_ref)} stands at ${first} already`)
    else targetPaths.set(target.target_ref, path)
    const here = new Set<string>()
    for (const [position, { contact_ref: ref, name }] of target.key_contacts.entries()) {
      const contactPath = pathOf(['target_accounts', index, 'key_contacts', position, 'contact_ref'])
      const known = people.get(ref)
      if (here.has(ref)) problems.push(`${contactPath}: ${shown(ref)} stands at this target already`)
      else if (known !== undefined && known.name !== name)
        problems.push(`${contactPath}: ${shown(ref)} is ${shown(known.name)} at ${known.path}`)
      here.add(ref)
      people.set(ref, known ?? { name, path: contactPath })
    }
  }
  return problems
}
