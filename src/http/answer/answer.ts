import type { FileAnswer } from '@baize/http-content'

export type AnswerBody = string | Buffer

export type Answer = { status: number; headers: Record<string, string> } & (
  | { body: AnswerBody }
  | { file: FileAnswer }
)

/**
 * From this length on a body is a buffer outside the heap, because each garbage collection copies a string,
 * and sending copies it twice. This saves Node a fifth of the time for a page of 1,000 rows
 * (docs/decisions/0005).
 */
const bytesFromCharacters = 4_096

export function joinBody(pieces: readonly string[]): AnswerBody {
  let characters = 0
  for (const piece of pieces) characters += piece.length
  if (characters < bytesFromCharacters) return pieces.join('')
  let bytes = 0
  for (const piece of pieces) bytes += Buffer.byteLength(piece)
  const body = Buffer.allocUnsafe(bytes)
  let at = 0
  for (const piece of pieces) at += body.write(piece, at)
  return body
}

type Figures = { granted: number | null; used: number; reserved: number }

/** Returns the credit headers, without a remainder for accounts without a quota. */
export function creditHeaders(charged: number, { granted, used, reserved }: Figures): Record<string, string> {
  const headers: Record<string, string> = { 'x-credits-charged': String(charged) }
  if (granted !== null) headers['x-credits-remaining'] = String(Math.max(0, granted - used - reserved))
  return headers
}
