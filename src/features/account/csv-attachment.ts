import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { Attachment } from '../../core/session-operation.ts'

type Write = (text: string) => Promise<void>

/** A CSV that is written at the speed of its reader, and no further once the reader has left. */
export function csvAttachment(fileName: string, work: (write: Write) => Promise<void>): Attachment {
  const stream = new PassThrough()
  const left = new AbortController()
  stream.once('close', () => left.abort())
  const write: Write = async text => {
    left.signal.throwIfAborted()
    if (!stream.write(text)) await once(stream, 'drain', { signal: left.signal })
  }
  work(write).then(
    () => stream.end(),
    (error: Error) => stream.destroy(left.signal.aborted ? undefined : error),
  )
  return new Attachment({ fileName, contentType: 'text/csv; charset=utf-8', stream })
}
