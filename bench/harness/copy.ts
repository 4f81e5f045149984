import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

/**
 * Returns the seconds that COPY of these lines takes into a table of one column, which no import can beat.
 */
export async function timeCopyIn(
  connection: pg.ClientConfig,
  lines: Readable,
  form = 'format text',
): Promise<number> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query('create table copied (line text)')
    const start = performance.now()
    await pipeline(lines, client.query(copyFrom(`copy copied from stdin (${form})`)))
    return (performance.now() - start) / 1000
  } finally {
    await client.query('drop table if exists copied')
    await client.end()
  }
}
