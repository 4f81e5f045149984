import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

export class MakeFolderError extends Error {
  override readonly name = 'MakeFolderError'

  constructor(path: string, cause: unknown) {
    const problem = isFile(cause)
      ? `${path} is a file`
      : `The folder ${path} cannot be created (${(cause as Error).message})`
    super(`${problem}. Set DATA_DIR or FILES_URL to a folder that this user can create and write to.`, {
      cause,
    })
  }
}

const isFile = (cause: unknown) => (cause as NodeJS.ErrnoException).code === 'EEXIST'

/** Creates a folder level by level: Node’s `recursive` loops forever below file systems such as /proc. */
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

/** Another process may create the folder at the same time. */
async function makeLevel(path: string, mode: number | undefined): Promise<void> {
  try {
    await mkdir(path, mode)
  } catch (error) {
    const found = await stat(path).catch(() => null)
    if (!found?.isDirectory()) throw error
  }
}
