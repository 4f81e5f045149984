import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

export type UserIds = { uid: number; gid: number }

/** `ids` is null for the user who runs this program. */
export type ServerUser = { name: string; ids: UserIds | null }

/**
 * Chooses another user than root, as whom PostgreSQL refuses to run. An existing cluster keeps its owner,
 * even under `sudo npm start`.
 */
export async function chooseServerUser(clusterOwner: UserIds | null): Promise<ServerUser> {
  if (process.getuid?.() !== 0) return { name: 'the user of this program', ids: null }
  if (clusterOwner && clusterOwner.uid !== 0) return { name: `uid ${clusterOwner.uid}`, ids: clusterOwner }
  for (const name of ['postgres', 'nobody']) {
    const ids = await lookUp(name)
    if (ids) return { name, ids }
  }
  throw new Error(
    'Run by root, the embedded PostgreSQL needs an unprivileged user, and this machine has neither ' +
      '"postgres" nor "nobody". Create one, start as an ordinary user, or set DATABASE_URL.',
  )
}

async function lookUp(name: string): Promise<UserIds | null> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
    // macOS prints the uid of nobody as 4294967294, and spawn expects signed 32-bit ids.
    return { uid: Number(uid.stdout) | 0, gid: Number(gid.stdout) | 0 }
  } catch {
    return null
  }
}

export async function canReach(user: ServerUser, path: string): Promise<boolean> {
  try {
    if (user.ids === null) await access(path, constants.X_OK)
    // A command under that uid asks the kernel, because file modes do not show parents, ACLs and mount
    // options.
    else await run('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], { ...user.ids, cwd: '/' })
    return true
  } catch {
    return false
  }
}
