import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { drawDemoRows } from './demo-rows.ts'
import { drawErrorIndex } from './error-index.ts'
import { drawExample, operationExamples } from './examples.ts'
import { drawOpenApi } from './openapi.ts'
import { drawRowTypes } from './row-types.ts'
import { drawSchema } from './schema-sql.ts'
import { drawClientApi } from './typescript-client/draw-api.ts'
import { drawClientErrorCodes } from './typescript-client/draw-error-codes.ts'
import { drawVerifyReceipt } from './verify-receipt.ts'

/** A committed file that is generated from the code. */
export type GeneratedFile = {
  path: string
  /** Returns the file's text. The connection leads to a migrated, empty database. */
  draw(connection: pg.ClientConfig): Promise<string>
}

export const generatedFiles: readonly GeneratedFile[] = [
  { path: 'database/schema.sql', draw: drawSchema },
  { path: 'src/database/tables.ts', draw: drawTables },
  // The rows of the demo world come first, because the examples are answers about it.
  { path: 'demo/rows.sql', draw: drawDemoRows },
  // The examples come first, because openapi.json contains them.
  ...operationExamples.map(({ operation, path }) => ({
    path,
    draw: (connection: pg.ClientConfig) => drawExample(operation, connection),
  })),
  { path: 'docs/errors/README.md', draw: drawErrorIndex },
  { path: 'openapi.json', draw: drawOpenApi },
  { path: 'clients/typescript/src/api.ts', draw: drawClientApi },
  { path: 'clients/typescript/src/error-codes.ts', draw: drawClientErrorCodes },
  { path: 'src/pages/assets/verify-receipt.js', draw: drawVerifyReceipt },
]

async function drawTables(connection: pg.ClientConfig): Promise<string> {
  const client = new pg.Client(connection)
  await client.connect()
  return drawRowTypes(client).finally(() => client.end())
}

export const generatedPath = (file: GeneratedFile): string =>
  fileURLToPath(new URL(`../../${file.path}`, import.meta.url))

/** Returns null if the committed file is up to date, or else its first difference and what to do. */
export async function differenceOf(file: GeneratedFile, connection: pg.ClientConfig): Promise<string | null> {
  const drawn = await file.draw(connection)
  const committed = await readFile(generatedPath(file), 'utf8').catch(() => '')
  if (drawn === committed) return null
  const lines = drawn.split('\n')
  const old = committed.split('\n')
  const at = lines.findIndex((line, index) => line !== old[index])
  const first = at === -1 ? lines.length : at // The new text is a beginning of the old one.
  return [
    `${file.path} is not up to date; the first difference is in line ${first + 1}:`,
    `  committed: ${old[first] ?? '(end of file)'}`,
    `  drawn:     ${lines[first] ?? '(end of file)'}`,
    'Run `npm run generate`, read the difference (git diff), and commit it with the change that made it.',
  ].join('\n')
}
