import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, mkdir, mkdtemp, readFile, realpath, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { canReach, type ServerUser, type UserIds } from './server-user.ts'

/**
 * Holds the clusters whose DATA_DIR the server’s user cannot enter. A reboot empties temporary directories.
 */
const clustersElsewhere = '/var/lib/baize'

/** The longest path of a socket is 107 bytes on Linux and 103 on macOS. */
const socketPathBytesMax = 103

export const socketPort = 5432

export type Cluster = { directory: string; owner: UserIds | null }

/** A cluster is renamed into place when it is complete, so its directory proves that it exists. */
export const clusterExists = (directory: string): boolean => existsSync(directory)

export const pointerFile = (dataDirectory: string): string => join(dataDirectory, 'postgres.path')

/** Returns null before the first start. */
export async function findCluster(dataDirectory: string): Promise<Cluster | null> {
  const pointer = pointerFile(dataDirectory)
  const named = existsSync(pointer) ? (await readFile(pointer, 'utf8')).trim() : null
  const directory = named ?? join(dataDirectory, 'postgres')
  if (clusterExists(directory)) {
    const { uid, gid } = await stat(directory)
    return { directory, owner: { uid, gid } }
  }
  if (named === null) return null
  // A new cluster, created silently, would look like the loss of all data.
  throw new Error(
    `${pointer} names ${named}, which has no database. Restore it, or delete ${pointer} to start with an ` +
      'empty database.',
  )
}

export async function chooseClusterDirectory(dataDirectory: string, user: ServerUser): Promise<string> {
  if (await canReach(user, dataDirectory)) return join(dataDirectory, 'postgres')
  const hash = createHash('sha256')
    .update(await realpath(dataDirectory))
    .digest('hex')
    .slice(0, 16)
  return join(clustersElsewhere, hash, 'postgres')
}

/** Checks access first, because PostgreSQL’s message about lost access would mislead. */
export async function requireAccess(cluster: Cluster, user: ServerUser): Promise<void> {
  const self = process.getuid?.()
  if (self !== undefined && self !== 0 && cluster.owner && cluster.owner.uid !== self) {
    throw new Error(
      `The database in ${cluster.directory} belongs to uid ${cluster.owner.uid}; this program runs as ` +
        `uid ${self}. Start it as that user or as root.`,
    )
  }
  if (!(await canReach(user, cluster.directory))) {
    throw new Error(
      `The database in ${cluster.directory} is not accessible to its user ${user.name}. ` +
        'Give every directory above it execute permission (chmod a+x).',
    )
  }
}

export type SocketDirectory = { path: string; temporary: boolean }

/**
 * Chooses a folder beside the cluster, which all processes see; systemd's PrivateTmp gives a service
 * another /tmp. A temporary directory is used only if that path is too long.
 */
export async function chooseSocketDirectory(cluster: string): Promise<SocketDirectory> {
  const beside = join(dirname(cluster), 'socket')
  const bytes = Buffer.byteLength(join(beside, `.s.PGSQL.${socketPort}`))
  if (bytes <= socketPathBytesMax) return { path: beside, temporary: false }
  return { path: await mkdtemp(join(tmpdir(), 'baize-')), temporary: true }
}

export async function makePrivateDirectory(path: string, user: ServerUser): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  if (user.ids) await chown(path, user.ids.uid, user.ids.gid)
}
