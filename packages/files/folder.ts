import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FSDriver } from 'flydrive/drivers/fs'
import { requireFileName } from './file-name.ts'
import type { FileStore } from './file-store.ts'
import { makeFolder } from './make-folder.ts'

/** Only the owner may read created folders, because exports are paid data. */
const folderMode = 0o700

export const makeRoot = (root: string): Promise<void> => makeFolder(root, folderMode)

/**
 * Stores files in a local folder. A file is written as `.part` and renamed once it is on disk. A killed
 * process leaves the part behind; `list` returns it, so the sweep removes it.
 */
export function openFolder(root: string): FileStore {
  const driver = (() => {
    let opened: Promise<FSDriver> | null = null
    return () => {
      opened ??= import('flydrive/drivers/fs').then(
        ({ FSDriver: Driver }) => new Driver({ location: root, visibility: 'private' }),
      )
      return opened
    }
  })()

  return {
    async put(name, content) {
      const place = join(root, requireFileName(name))
      const part = `${name}.${randomBytes(6).toString('hex')}.part`
      try {
        await makeRoot(root)
        await makeFolder(dirname(place))
        // `flush` lets paid files survive a power failure. The driver reports a full disk as an aborted
        // source.
        const file = createWriteStream(join(root, part), { flags: 'wx', flush: true })
        await pipeline(content, file)
        await rename(join(root, part), place)
        await syncFolder(dirname(place))
        return { bytes: file.bytesWritten }
      } catch (error) {
        content.destroy()
        await rm(join(root, part), { force: true }).catch(() => {})
        throw error
      }
    },

    async find(name) {
      const path = join(root, requireFileName(name))
      const found = await stat(path).catch(unlessMissing)
      if (found === null || !found.isFile()) return null
      return { bytes: found.size, open: range => openFile(path, range) }
    },

    async remove(name) {
      await (await driver()).delete(requireFileName(name))
    },

    async *list(folder) {
      const { objects } = await (await driver()).listAll(requireFileName(folder), { recursive: true })
      for (const object of objects) {
        if (!object.isFile) continue
        const facts = await object.getMetaData().catch(cause => unlessMissing(cause.cause ?? cause))
        if (facts !== null) yield { name: object.key, modifiedAt: facts.lastModified }
      }
    },
  }
}

/** Flushes the renamed entry to disk. Windows cannot open folders, and flushes names without help. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Opens the file before it returns, so that a missing file fails here and not in the stream. */
async function openFile(path: string, range?: { start: number; end: number }): Promise<Readable> {
  const file = await open(path, 'r')
  return createReadStream(path, { fd: file, ...range })
}

function unlessMissing(error: unknown): null {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'ENOENT' || code === 'ENOTDIR') return null
  throw error
}
