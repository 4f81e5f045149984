import { createHash } from 'node:crypto'
import type { SourceFile } from '@baize/tables'

/** Hashes the sorted digests of the files, so that names and order do not matter. */
export async function contentDigest(files: readonly SourceFile[]): Promise<Buffer> {
  const digests: string[] = []
  for (const file of files) {
    const hash = createHash('sha256')
    for await (const chunk of file.open()) hash.update(chunk)
    digests.push(hash.digest('hex'))
  }
  return createHash('sha256').update(digests.sort().join('\n')).digest()
}
