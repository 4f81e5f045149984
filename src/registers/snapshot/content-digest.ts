import { createHash } from 'node:crypto'
import type { SourceFile } from '../stream.ts'

/** What the files hold, whatever their names and order: the digest of their sorted digests. */
export async function contentDigest(files: readonly SourceFile[]): Promise<Buffer> {
  const digests: string[] = []
  for (const file of files) {
    const hash = createHash('sha256')
    for await (const chunk of file.open()) hash.update(chunk)
    digests.push(hash.digest('hex'))
  }
  return createHash('sha256').update(digests.sort().join('\n')).digest()
}
