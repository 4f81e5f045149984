import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { executable } from './binaries.ts'
import { makePrivateDirectory } from './directories.ts'
import type { ServerLog } from './server-log.ts'
import type { ServerUser } from './server-user.ts'
import { runSupervised } from './supervised-process.ts'
import { runOnWindows } from './windows.ts'

export const superuser = 'baize'

const majorVersion = '18'

export type NewCluster = {
  directory: string
  native: string
  user: ServerUser
  log: ServerLog
  flush: boolean
  onWait: () => void
}

/**
 * Creates a cluster under a temporary name and renames it, so that a killed initdb leaves no partial
 * cluster.
 */
export async function makeCluster({
  directory,
  native,
  user,
  log,
  flush,
  onWait,
}: NewCluster): Promise<void> {
  const parent = dirname(directory)
  await mkdir(parent, { recursive: true })
  await removeUnfinished(directory)
  const partial = `${directory}.partial-${randomBytes(4).toString('hex')}`
  await makePrivateDirectory(partial, user)
  const command = [
    executable(native, 'initdb'),
    '-D',
    partial,
    ...initdbOptions,
    ...(flush ? [] : ['--no-sync']),
  ]
  const making =
    process.platform === 'win32'
      ? runOnWindows(command, executable(native, 'pg_ctl'), partial, log.descriptor)
      : runSupervised(command, { user, output: log.descriptor })
  onWait()
  const { code, error } = await making.ended
  making.release()
  if (code !== 0) {
    await rm(partial, { recursive: true, force: true })
    throw new Error(`PostgreSQL could not create its cluster in ${directory}.\n${await log.tail()}`, {
      cause: error,
    })
  }
  await rename(partial, directory)
  if (flush && process.platform !== 'win32') await flushDirectory(parent)
}

// The builtin provider sorts by code point on every machine and release. The text search parser must know
// letters, and libc’s C.UTF-8 has that name on Linux only.
const initdbOptions = [
  `--username=${superuser}`,
  '--auth=trust', // Access to the socket's directory protects the server.
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  `--locale=${process.platform === 'linux' ? 'C.UTF-8' : 'C'}`,
  '--no-instructions',
]

/** Removes the files of a killed initdb. If one is just ending, the next start removes its files. */
async function removeUnfinished(directory: string): Promise<void> {
  const parent = dirname(directory)
  for (const name of await readdir(parent)) {
    if (!name.startsWith(`${basename(directory)}.partial-`)) continue
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => {})
  }
}

/** Flushes a directory, so that a rename in it survives a power failure. */
async function flushDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}

export async function requireVersion(directory: string): Promise<void> {
  const found = (await readFile(join(directory, 'PG_VERSION'), 'utf8').catch(() => '')).trim()
  if (found === '')
    throw new Error(`${directory} is not a PostgreSQL database. Move it elsewhere and start again.`)
  if (found === majorVersion) return
  throw new Error(
    `The database in ${directory} was created by PostgreSQL ${found}; this Baize includes ${majorVersion}. ` +
      'Dump it with the Baize that created it (npm run baize -- dump), ' +
      'and import the dump into an empty DATA_DIR. A dump leaves out history, refs and money.',
  )
}
