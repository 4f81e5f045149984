import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { World } from '../../src/database/open.ts'
import { type ImportOptions, type ImportReport, importFiles } from '../../src/dataset/index.ts'
import { createTestDirectory } from './directory.ts'

/** Imports records of the interchange format. A rejected record fails the test. */
export async function loadLines(
  world: World,
  lines: readonly object[],
  options: Pick<ImportOptions, 'now' | 'files'> = {},
): Promise<ImportReport> {
  const directory = await createTestDirectory()
  const file = join(directory.path, 'lines.ndjson')
  await writeFile(file, lines.map(line => `${JSON.stringify(line)}\n`).join(''))
  const report = await importFiles(world, [file], { ...options, mode: 'strict' }).finally(directory.remove)
  if (report.rejected > 0) throw new Error(JSON.stringify(report.rejects))
  return report
}
