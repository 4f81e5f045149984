import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { schemaPicture } from '../src/database/picture.ts'
import { tablesSource } from '../src/database/tables-source.ts'
import { drawOpenApi } from './openapi-picture.ts'
import { drawExample, operationExamples } from './operation-examples.ts'
import { drawClientApi } from './typescript-client/draw-api.ts'
import { drawClientErrorCodes } from './typescript-client/draw-error-codes.ts'

/** A committed file that is generated from the code. */
export type Picture = {
  path: string
  /** From a migrated, empty database. */
  draw(connection: pg.ClientConfig): Promise<string>
}

export const pictures: readonly Picture[] = [
  { path: 'database/schema.sql', draw: schemaPicture },
  { path: 'src/database/tables.ts', draw: drawTables },
  // Before openapi.json, which contains them.
  ...operationExamples.map(({ operation, path }) => ({
    path,
    draw: (connection: pg.ClientConfig) => drawExample(operation, connection),
  })),
  { path: 'openapi.json', draw: drawOpenApi },
  { path: 'clients/typescript/src/api.ts', draw: drawClientApi },
  { path: 'clients/typescript/src/error-codes.ts', draw: drawClientErrorCodes },
]

async function drawTables(connection: pg.ClientConfig): Promise<string> {
  const client = new pg.Client(connection)
  await client.connect()
  return tablesSource(client).finally(() => client.end())
}

export const fileOf = (picture: Picture): string =>
  fileURLToPath(new URL(`../${picture.path}`, import.meta.url))

/** null when the committed file is up to date; otherwise the first difference and what to do. */
export async function differenceOf(picture: Picture, connection: pg.ClientConfig): Promise<string | null> {
  const drawn = await picture.draw(connection)
  const committed = await readFile(fileOf(picture), 'utf8').catch(() => '')
  if (drawn === committed) return null
  const lines = drawn.split('\n')
  const old = committed.split('\n')
  const at = lines.findIndex((line, index) => line !== old[index])
  const first = at === -1 ? lines.length : at // the new text is a prefix of the old
  return [
    `${picture.path} is not up to date; the first difference is in line ${first + 1}:`,
    `  committed: ${old[first] ?? '(end of file)'}`,
    `  drawn:     ${lines[first] ?? '(end of file)'}`,
    'Run `npm run pictures`, read the difference (git diff), and commit it with the change that made it.',
  ].join('\n')
}
