import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, mkdir, mkdtemp, readFile, realpath, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { canReach, type ServerUser, type UserIds } from './server-user.ts'

/** Where clusters lie whose DATA_DIR the server's user cannot enter. Never a temporary directory: a reboot empties those. */
const clustersElsewhere = '/var/lib/baize'

/** A socket's address holds 107 bytes of path on Linux, 103 on macOS. */
const socketPathBytesMax = 103

export const socketPort = 5432

export type Cluster = { directory: string; owner: UserIds | null }

/**
 * A cluster is renamed into place when it is whole, so its directory tells; what is in it is hidden from any user
 * but its own.
 */
export const clusterExists = (directory: string): boolean => existsSync(directory)

/** The file that says where the cluster of a DATA_DIR lies, when it does not lie in it. */
export const pointerFile = (dataDirectory: string): string => join(dataDirectory, 'postgres.path')

/** The cluster that this DATA_DIR has already, wherever it lies; null before the first start. */
export async function findCluster(dataDirectory: string): Promise<Cluster | null> {
  const pointer = pointerFile(dataDirectory)
  const named = existsSync(pointer) ? (await readFile(pointer, 'utf8')).trim() : null
  const directory = named ?? join(dataDirectory, 'postgres')
  if (clusterExists(directory)) {
    const { uid, gid } = await stat(directory)
    return { directory, owner: { uid, gid } }
  }
  if (named === null) return null
  // Making a new one in silence would look like the loss of everything.
  throw new Error(
    `${pointer} says that the database lies in ${named}, and there is none. Put it back, or delete that file to begin ` +
      'with an empty database.',
  )
}

/** Where the first start makes the cluster. */
export async function chooseClusterDirectory(dataDirectory: string, user: ServerUser): Promise<string> {
  if (await canReach(user, dataDirectory)) return join(dataDirectory, 'postgres')
  const hash = createHash('sha256')
    .update(await realpath(dataDirectory))
    .digest('hex')
    .slice(0, 16)
  return join(clustersElsewhere, hash, 'postgres')
}

/** A permission that was taken away later must be said by name: PostgreSQL's own words would not lead there. */
export async function requireAccess(cluster: Cluster, user: ServerUser): Promise<void> {
  const self = process.getuid?.()
  if (self !== undefined && self !== 0 && cluster.owner && cluster.owner.uid !== self) {
    throw new Error(
      `The database in ${cluster.directory} belongs to uid ${cluster.owner.uid}, and this program runs as uid ${self}. ` +
        'Start it as that user or as root.',
    )
  }
  if (!(await canReach(user, cluster.directory))) {
    throw new Error(
      `The database in ${cluster.directory} cannot be entered by ${user.name}, who runs it. Give every directory above ` +
        'it the permission to be entered (chmod a+x).',
    )
  }
}

export type SocketDirectory = { path: string; temporary: boolean }

/**
 * The socket lies beside the cluster, because that place is seen by every process that sees the data: a service
 * under systemd's PrivateTmp has another /tmp than the operator's shell. Only a path too long moves it there.
 */
export async function chooseSocketDirectory(cluster: string): Promise<SocketDirectory> {
  const beside = join(dirname(cluster), 'socket')
  const bytes = Buffer.byteLength(join(beside, `.s.PGSQL.${socketPort}`))
  if (bytes <= socketPathBytesMax) return { path: beside, temporary: false }
  return { path: await mkdtemp(join(tmpdir(), 'baize-')), temporary: true }
}

/** A directory that the server's user owns and nobody else enters. */
export async function makePrivateDirectory(path: string, user: ServerUser): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  if (user.ids) await chown(path, user.ids.uid, user.ids.gid)
}
