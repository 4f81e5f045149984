/** Ends the Chromium of a service that was killed, at the next start of another one. Needs /proc (Linux). */
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const folderPrefix = 'baize-renderer-'
const recordName = 'process.json'

type Identity = { pid: number; startedAt: string }
type Recorded = { chromium: Identity; owner: Identity }

/** Records the process beside its profile. A later process with its number has another start time. */
export async function recordProcess(folder: string, pid: number): Promise<void> {
  const [chromium, owner] = await Promise.all([identityOf(pid), identityOf(process.pid)])
  await writeFile(join(folder, recordName), JSON.stringify({ chromium, owner }), { mode: 0o600 })
}

/** Kills each Chromium whose service is gone. Returns how many. */
export async function endOrphans(): Promise<number> {
  let ended = 0
  for (const name of await readdir(tmpdir())) {
    const folder = join(tmpdir(), name)
    if (!name.startsWith(folderPrefix) || !(await isOwn(folder))) continue
    const recorded = await readRecord(folder)
    if (recorded === null || (await isRunning(recorded.owner))) continue
    if (await isRunning(recorded.chromium)) {
      process.kill(-recorded.chromium.pid, 'SIGKILL')
      ended += 1
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(() => {})
  }
  return ended
}

/** Another user's folder could name any process. */
async function isOwn(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => null)
  return found !== null && found.uid === process.getuid?.()
}

async function readRecord(folder: string): Promise<Recorded | null> {
  try {
    return JSON.parse(await readFile(join(folder, recordName), 'utf8')) as Recorded
  } catch {
    return null
  }
}

async function isRunning({ pid, startedAt }: Identity): Promise<boolean> {
  return startedAt !== '' && (await identityOf(pid)).startedAt === startedAt
}

/** The start time is empty for a process that is gone. */
async function identityOf(pid: number): Promise<Identity> {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '')
  // The name of the program, in parentheses, may have blanks. The start is the 22nd field.
  const [state, ...fields] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { pid, startedAt: state === 'Z' ? '' : (fields[18] ?? '') }
}
