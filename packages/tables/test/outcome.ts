import { expect } from 'vitest'
import { Refusal } from '../index.ts'
import { readFiles } from './read.ts'

/** Matches messages of the engine and of libraries, which do not help a user. */
const internal =
  /undefined|is not a function|Cannot |call stack|Unexpected|at position|Max Record|Invalid (?:Opening|Closing)|unclosed tag|disallowed|Error:/

/** Returns `read`, or the message of a Refusal. Other errors are thrown. */
export async function readOutcome(description: string, content: Uint8Array | string, pieceBytes: number) {
  try {
    await readFiles(description, [content], { pieceBytes })
    return 'read'
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    expect(error.message).not.toMatch(internal)
    return error.message
  }
}
