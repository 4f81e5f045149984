import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { executable } from './binaries.ts'
import { runOnLeash } from './leash.ts'
import { makePrivateDirectory } from './place.ts'
import type { ServerLog } from './server-log.ts'
import type { ServerUser } from './server-user.ts'
import { runOnWindows } from './windows.ts'

export const superuser = 'baize'

/** The release whose files this program reads; the binaries are pinned to it in package.json. */
const majorVersion = '18'

export type NewCluster = {
  directory: string
  native: string
  user: ServerUser
  log: ServerLog
  /** false when the server will not flush either (tests). */
  flush: boolean
}

/** Makes the cluster aside and renames it, so that one whose making was killed never stands in its place. */
export async function makeCluster({ directory, native, user, log, flush }: NewCluster): Promise<void> {
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
      : runOnLeash(command, { user, output: log.descriptor })
  const { code, error } = await making.ended
  making.release()
  if (code !== 0) {
    await rm(partial, { recursive: true, force: true })
    throw new Error(`PostgreSQL could not make its cluster in ${directory}.\n${await log.tail()}`, {
      cause: error,
    })
  }
  await rename(partial, directory)
  if (flush && process.platform !== 'win32') await flushDirectory(parent)
}

// The builtin provider sorts by code point, alike on every machine and release; libc's C.UTF-8, which says what a
// letter is to the text search parser, is known by that name on Linux only.
const initdbOptions = [
  `--username=${superuser}`,
  '--auth=trust', // the socket's directory is the lock
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  `--locale=${process.platform === 'linux' ? 'C.UTF-8' : 'C'}`,
  '--no-instructions',
]

/** What a killed initdb left. One that still runs is about to end on its leash, and goes the next time. */
async function removeUnfinished(directory: string): Promise<void> {
  const parent = dirname(directory)
  for (const name of await readdir(parent)) {
    if (!name.startsWith(`${basename(directory)}.partial-`)) continue
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => {})
  }
}

/** A rename lasts through a power cut once its directory is flushed. */
async function flushDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}

export async function requireVersion(directory: string): Promise<void> {
  const found = (await readFile(join(directory, 'PG_VERSION'), 'utf8').catch(() => '')).trim()
  if (found === '')
    throw new Error(`${directory} is in the way: it should be a database, and is none. Move it away.`)
  if (found === majorVersion) return
  throw new Error(
    `The database in ${directory} was made by PostgreSQL ${found}, and this Baize brings ${majorVersion}. Dump it with ` +
      'the Baize that made it (npm run baize -- dump), and import the dump into an empty DATA_DIR.',
  )
}
