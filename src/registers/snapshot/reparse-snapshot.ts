import type { Database } from '../../database/open.ts'
import type { NormalisedRow, Stream } from '../stream.ts'
import type { RawFile } from './find-cut.ts'
import { keptRows, keptSources } from './store-files.ts'

export { readKeptSnapshots as snapshotsToReadAgain } from '../history-store.ts'

/** The rows of a kept snapshot, as they were read then and as the stream's parser reads its files now. */
export function readAgain(
  database: Database,
  stream: Stream,
  snapshot: { files: RawFile[]; rows_sha256: Buffer },
): { asRead: AsyncIterable<NormalisedRow>; asReadNow: AsyncIterable<NormalisedRow> } {
  return {
    asRead: keptRows(database, snapshot.rows_sha256),
    asReadNow: rowsOf(stream, keptSources(database, snapshot.files)),
  }
}

async function* rowsOf(
  stream: Stream,
  sources: ReturnType<typeof keptSources>,
): AsyncGenerator<NormalisedRow> {
  for await (const reading of stream.read(sources))
    if (reading.record !== 'reject' && reading.record !== 'notice') yield reading
}
