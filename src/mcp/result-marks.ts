import { randomUUID } from 'node:crypto'
import type { ToolResult } from './tool-result.ts'

const eventEnd = '\n\n'

/**
 * Long JSON of a tool's result passes the SDK as a mark and replaces it in the response, because the SDK
 * would copy and write it twice more: 10 ms for 1,000 verdicts.
 */
export class ResultMarks {
  /** Unknown to the client, whose message may be repeated in the response. */
  readonly #mark = randomUUID()
  #json = ''

  /** The JSON twice, because clients read either form, and a sentence for people. */
  markResult({ json, sentence, isError, meta }: ToolResult) {
    // A line break, which PostgreSQL writes between values, would end the line of an event.
    this.#json = json.replaceAll('\n', ' ')
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

  /** A response of one message, or of events, which are passed on one by one. */
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
    const marks = new RegExp(`\\{"${this.#mark}":true\\}|"${this.#mark}"`, 'g')
    const json = this.#json
    return Buffer.from(text.replace(marks, mark => (mark.startsWith('{') ? json : JSON.stringify(json))))
  }
}
