import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { signalAll } from '../rehearse-cluster/processes.ts'

const run = promisify(execFile)
const imageBytes = 2 * 1024 ** 3
/** The journal is committed when a program syncs, and hardly by itself. */
const mountOptions = 'loop,commit=300'

export type Disk = {
  path: string
  canLosePower: boolean
  /** Stops the processes, drops what they have not synced, and lets `endAll` kill them. */
  losePower(processes: () => Promise<number[]>, endAll: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

/** Opens an empty directory: on an image of its own, if root may mount one. */
export async function openDisk(): Promise<Disk> {
  const directory = await mkdtemp(join(tmpdir(), 'baize-kill-rounds-'))
  await chmod(directory, 0o755)
  const image = join(directory, 'image')
  const path = join(directory, 'disk')
  await mkdir(path)
  await writeFile(image, '')
  await truncate(image, imageBytes)
  const mount = () => run('mount', ['-o', mountOptions, image, path])
  const canLosePower = await run('mkfs.ext4', ['-q', image])
    .then(mount)
    .then(
      () => true,
      () => false,
    )
  return {
    path,
    canLosePower,
    async losePower(processes, endAll) {
      signalAll(await processes(), 'SIGSTOP')
      // The file of the image has only what was synced: other writes are in the cache of what is mounted.
      const copy = `${image}-copy`
      await run('cp', ['--sparse=always', image, copy])
      await endAll()
      // Lazily: an ended process may not have closed its files yet.
      await run('umount', ['--lazy', path])
      await rename(copy, image)
      await mount()
    },
    async close() {
      // Lazily: after a failure a process may still have a file open.
      if (canLosePower) await run('umount', ['--lazy', path])
      await rm(directory, { recursive: true, force: true })
    },
  }
}
