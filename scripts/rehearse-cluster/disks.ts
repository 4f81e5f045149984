import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdir, rm, statfs, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** Holds the WAL of patroni.yaml beside a million charges. */
const diskBytes = 8 * 1024 ** 3

/** Mounts an image as the directory, and returns what undoes it. Returns null unless root may mount one. */
export async function mountDisk(directory: string): Promise<(() => Promise<void>) | null> {
  const image = `${directory}.image`
  await mkdir(directory, { recursive: true })
  await writeFile(image, '')
  await truncate(image, diskBytes)
  try {
    await run('mkfs.ext4', ['-q', '-m', '0', image])
    await run('mount', ['-o', 'loop', image, directory])
  } catch {
    return null
  }
  return async () => {
    // Lazily: an ended process may not have closed its files yet.
    await run('umount', ['--lazy', directory])
    await rm(image, { force: true })
  }
}

/** Leaves no free block on the disk of the directory, and returns what makes room again. */
export async function fillDisk(directory: string): Promise<() => Promise<void>> {
  const files = ['ballast', 'ballast-rest'].map(name => join(directory, name)) as [string, string]
  const { bavail, bsize } = await statfs(directory)
  await run('fallocate', ['-l', String(Math.floor(bavail * 0.98) * bsize), files[0]])
  await pipeline(function* () {
    for (;;) yield Buffer.alloc(64 * 1024)
  }, createWriteStream(files[1])).catch(error => {
    if (error.code !== 'ENOSPC') throw error
  })
  return async () => {
    for (const file of files) await rm(file, { force: true })
  }
}
