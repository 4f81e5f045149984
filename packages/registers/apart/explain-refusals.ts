import { Refusal } from '@baize/tables'
import type { Stream } from '../stream.ts'
import { explainApart } from './read-apart.ts'

/** Wraps the stream so that a refusal also names the kind of page that came, with advice. */
export function explainRefusals(stream: Stream): Stream {
  const { key, format, officialUrl } = stream
  return {
    ...stream,
    async *read(files) {
      try {
        yield* stream.read(files)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        const page = await explainApart({ key, format, officialUrl, refusal: error.message }, files)
        if (page === null) throw error
        throw new Refusal(`${error.message}; it is ${page}`, { cause: error })
      }
    },
  }
}
