import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** A folder that DATA_DIR or FILES_URL asks for, and that this machine does not let us make. */
export class MakeFolderError extends Error {
  override readonly name = 'MakeFolderError'

  constructor(path: string, cause: unknown) {
    super(
      `The folder ${path} cannot be made (${(cause as Error).message}). ` +
        'Set DATA_DIR, or FILES_URL, to one that this user may make and write to.',
      { cause },
    )
  }
}

/**
 * A folder and those above it, unless they are there. A level at a time: Node's own `recursive` tries for ever where a
 * folder is there and knows nothing of what is made in it, as /proc. Fails with MakeFolderError.
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  try {
    await makeBelow(path, mode)
  } catch (error) {
    throw new MakeFolderError(path, error)
  }
}

async function makeBelow(path: string, mode: number | undefined): Promise<void> {
  const parent = dirname(path)
  try {
    await makeLevel(path, mode)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error
    await makeBelow(parent, mode)
    await makeLevel(path, mode)
  }
}

/** Another process may be making it, too. */
async function makeLevel(path: string, mode: number | undefined): Promise<void> {
  try {
    await mkdir(path, mode)
  } catch (error) {
    const found = await stat(path).catch(() => null)
    if (!found?.isDirectory()) throw error
  }
}
