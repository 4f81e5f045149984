import type { NormalisedRow, Stream } from '@baize/registers'
import type { RawFile } from '@baize/registers/guard'
import type { SourceFile } from '@baize/tables'
import type { Database } from '../../database/open.ts'
import { storedRows, storedSources, withoutDecided } from './store-files.ts'

/** Returns a snapshot's rows as stored when it was read, and as today's parser reads the stored files. */
export function reparseSnapshot(
  database: Database,
  stream: Stream,
  snapshot: { files: RawFile[]; rows_sha256: Buffer },
): { stored: AsyncIterable<NormalisedRow>; reparsed: AsyncIterable<NormalisedRow> } {
  return {
    stored: withoutDecided(database, storedRows(database, snapshot.rows_sha256)),
    reparsed: withoutDecided(database, rowsOf(stream, storedSources(database, snapshot.files))),
  }
}

async function* rowsOf(stream: Stream, sources: readonly SourceFile[]): AsyncGenerator<NormalisedRow> {
  for await (const reading of stream.read(sources))
    if (reading.record !== 'reject' && reading.record !== 'notice') yield reading
}
