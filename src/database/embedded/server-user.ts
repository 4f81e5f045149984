import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

export type UserIds = { uid: number; gid: number }

/** Who the server runs as. `ids` is null when that is simply whoever runs this program. */
export type ServerUser = { name: string; ids: UserIds | null }

/**
 * PostgreSQL refuses to run as root, so below root it gets an unprivileged user that exists everywhere. A cluster
 * that is there already keeps its owner: what an ordinary user began, `sudo npm start` carries on.
 */
export async function chooseServerUser(clusterOwner: UserIds | null): Promise<ServerUser> {
  if (process.getuid?.() !== 0) return { name: 'the user of this program', ids: null }
  if (clusterOwner && clusterOwner.uid !== 0) return { name: `uid ${clusterOwner.uid}`, ids: clusterOwner }
  for (const name of ['postgres', 'nobody']) {
    const ids = await lookUp(name)
    if (ids) return { name, ids }
  }
  throw new Error(
    'Running as root, the embedded PostgreSQL needs a user of its own, and this machine has neither "postgres" nor ' +
      '"nobody". Create one, start as an ordinary user, or set DATABASE_URL.',
  )
}

async function lookUp(name: string): Promise<UserIds | null> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
    // macOS prints nobody as 4294967294, and spawn takes signed 32-bit ids.
    return { uid: Number(uid.stdout) | 0, gid: Number(gid.stdout) | 0 }
  } catch {
    return null
  }
}

/** Whether the server's user can enter a directory, or execute a file, by this path. */
export async function canReach(user: ServerUser, path: string): Promise<boolean> {
  try {
    if (user.ids === null) await access(path, constants.X_OK)
    // Asked of the kernel under that uid: modes alone know nothing of parents, ACLs and mount options.
    else await run('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], { ...user.ids, cwd: '/' })
    return true
  } catch {
    return false
  }
}
