import { randomUUID } from 'node:crypto'
import type { ToolResult } from './tool-result.ts'

const eventEnd = '\n\n'
const [lineBreak, blank, quote, backslash] = Buffer.from('\n "\\') as unknown as [
  number,
  number,
  number,
  number,
]

/**
 * Passes a short mark through the SDK instead of the long JSON of a tool's result, and fills the JSON into
 * the response as bytes. The SDK would parse, copy and write it twice more: 10 to 17 ms for 1,000 verdicts.
 */
export class ResultMarks {
  /** The mark is random, because the response may repeat a message of the client. */
  readonly #mark = randomUUID()
  readonly #textMark = `"${this.#mark}"`
  readonly #dataMark = `{"${this.#mark}":true}`
  readonly #marks = new RegExp(`(\\{"${this.#mark}":true\\}|"${this.#mark}")`)
  #json: Buffer = Buffer.alloc(0)

  /** Adds marks for the JSON twice, because clients read either form, and a sentence for people. */
  markResult({ json, sentence, isError, meta }: ToolResult) {
    // PostgreSQL writes line breaks between values. Here they would end the line of an event.
    for (let at = json.indexOf(lineBreak); at >= 0; at = json.indexOf(lineBreak, at + 1)) json[at] = blank
    this.#json = json
    return {
      content: [
        { type: 'text' as const, text: this.#mark },
        { type: 'text' as const, text: sentence },
      ],
      structuredContent: { [this.#mark]: true },
      ...(isError === undefined ? {} : { isError }),
      _meta: meta,
    }
  }

  /** Replaces the marks in a response of one message, or of events, which are passed on one by one. */
  fillIn({ body, status, headers }: Response): Response {
    const decoder = new TextDecoder()
    let unsent = ''
    const filling = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        unsent += decoder.decode(chunk, { stream: true })
        const end = unsent.lastIndexOf(eventEnd)
        if (end < 0) return
        controller.enqueue(this.#filled(unsent.slice(0, end + eventEnd.length)))
        unsent = unsent.slice(end + eventEnd.length)
      },
      flush: controller => {
        if (unsent !== '') controller.enqueue(this.#filled(unsent))
      },
    })
    return new Response(body?.pipeThrough(filling) ?? null, { status, headers })
  }

  #filled(text: string): Uint8Array {
    const pieces = text.split(this.#marks)
    if (pieces.length === 1) return Buffer.from(text)
    const json = this.#json
    const filled = Buffer.allocUnsafe(Buffer.byteLength(text) + escapedBytesMax(json) + json.length)
    let at = 0
    for (const piece of pieces) {
      if (piece === this.#textMark) at = writeAsText(json, filled, at)
      else if (piece === this.#dataMark) at += json.copy(filled, at)
      else at += filled.write(piece, at)
    }
    return filled.subarray(0, at)
  }
}

const escapedBytesMax = (json: Buffer) => 2 * json.length + 2

/**
 * Writes JSON as a JSON string. Its line breaks, the only control characters of JSON, are already replaced.
 */
function writeAsText(json: Buffer, target: Buffer, start: number): number {
  let at = start
  target[at++] = quote
  for (let index = 0; index < json.length; index++) {
    const byte = json[index] as number
    if (byte === quote || byte === backslash) target[at++] = backslash
    target[at++] = byte
  }
  target[at++] = quote
  return at
}
