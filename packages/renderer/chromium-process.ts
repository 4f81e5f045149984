import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { setPriority, constants as system, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { Connection } from './cdp.ts'
import { folderPrefix, recordProcess } from './orphans.ts'
import { switchesOf } from './switches.ts'

export type ChromiumProcess = {
  connection: Connection
  pid: number
  isAlive(): boolean
  /** Kills the process with all that it started. */
  kill(why: string): void
  /** Resolves when it has ended and its files are deleted. */
  ended: Promise<void>
}

export type StartSettings = {
  path: string
  hasSandbox: boolean
  trustedKeys: readonly string[]
  without?: readonly string[]
}

type StartFailure = 'no_sandbox' | 'does_not_start' | 'too_old' | 'not_safe'

export class DoesNotStart extends Error {
  readonly reason: StartFailure

  constructor(reason: StartFailure, message: string) {
    super(message)
    this.reason = reason
  }
}

const usualPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/lib/chromium/chromium',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
const startMsMax = 15_000
const printedCharactersMax = 4_000
/** Another process may have its output and never end. */
const printsWithinMs = 1_000
/** Is `nobody` on Linux. Chromium's sandbox does not work as root. */
const unprivilegedUser = 65_534
const sandboxWords =
  /no usable sandbox|running as root without|sandbox_host_linux|setuid sandbox|user namespace/i

/** Returns the path of an executable Chromium, or null. A path that is set is the only one. */
export function findChromium(path: string | null): string | null {
  return (path === null ? usualPaths : [path]).find(isExecutable) ?? null
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Starts Chromium as the leader of a process group. Root starts it as another user. */
export async function startChromium({ path, ...settings }: StartSettings): Promise<ChromiumProcess> {
  const folder = await mkdtemp(join(tmpdir(), folderPrefix))
  const profile = join(folder, 'profile')
  await mkdir(profile)
  const user = settings.hasSandbox && process.getuid?.() === 0 ? unprivilegedUser : null
  if (user !== null) await chmod(folder, 0o711)
  if (user !== null) await chown(profile, user, user)
  const child = spawn(path, switchesOf({ profile, ...settings }), {
    cwd: profile,
    detached: true,
    // Chromium gets no variable of the service, which may be a key.
    env: { PATH: process.env.PATH, HOME: profile, XDG_CONFIG_HOME: profile, LANG: 'en_US.UTF-8' },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    ...(user === null ? {} : { uid: user, gid: user }),
  })
  const printed = printedBy(child)
  const started = watch(child, folder)
  if (child.pid !== undefined) await leaveProcessorToOthers(child.pid)
  try {
    if (child.pid !== undefined) await recordProcess(folder, child.pid).catch(unlessEnded(started))
    await withinStart(started)
    return started
  } catch (error) {
    started.kill('it did not start')
    await started.ended
    const text = await printed()
    const lines = text.trim().split('\n').slice(-3).join(' ')
    throw new DoesNotStart(
      sandboxWords.test(text) ? 'no_sandbox' : 'does_not_start',
      [`${path}: ${(error as Error).message}`, lines].filter(each => each !== '').join('; '),
    )
  }
}

/** The folder of a process that has ended is deleted, also while something is written there. */
function unlessEnded({ isAlive }: ChromiumProcess): (error: unknown) => void {
  return error => {
    if (isAlive()) throw error
  }
}

/** Lets answers go first. What Chromium starts inherits it. */
async function leaveProcessorToOthers(pid: number): Promise<void> {
  try {
    setPriority(pid, system.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended already.
  }
  // Linux may compare priorities only within a session, and Chromium has one of its own.
  await writeFile(`/proc/${pid}/autogroup`, String(system.priority.PRIORITY_BELOW_NORMAL)).catch(() => {})
}

function withinStart({ connection, ended }: ChromiumProcess): Promise<unknown> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${startMsMax} ms`)), startMsMax)
  const early = ended.then(() => Promise.reject(new Error('it ended')))
  return Promise.race([connection.send('Browser.getVersion'), early, late]).finally(() => clearTimeout(timer))
}

/**
 * Returns the last lines that Chromium printed, without those about the missing desktop. They may arrive
 * after its end.
 */
function printedBy({ stderr }: ChildProcess): () => Promise<string> {
  let text = ''
  stderr?.on('data', (piece: Buffer) => {
    text = (text + piece.toString()).slice(-2 * printedCharactersMax)
  })
  return async () => {
    if (stderr) await finished(stderr, { signal: AbortSignal.timeout(printsWithinMs) }).catch(() => {})
    return text
      .split('\n')
      .filter(line => !/dbus/i.test(line))
      .join('\n')
      .slice(-printedCharactersMax)
  }
}

function watch(child: ChildProcess, folder: string): ChromiumProcess {
  const { promise: exited, resolve } = Promise.withResolvers<void>()
  const [, , , input, output] = child.stdio as unknown as [null, null, Readable, Writable, Readable]
  let isAlive = child.pid !== undefined
  const kill = (why: string) => {
    // A busy system reports the end of a killed process late: no visit may begin in it meanwhile.
    isAlive = false
    connection.close(why)
    killGroup(child.pid)
  }
  const connection = new Connection(input, output, kill)
  const end = () => {
    kill('Chromium ended')
    resolve()
  }
  child.once('exit', end)
  child.once('error', end)
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  return {
    connection,
    pid: child.pid ?? 0,
    isAlive: () => isAlive,
    kill,
    ended: exited.then(remove).catch(() => {}),
  }
}

/** Kills all processes of a group. It may be gone already. */
function killGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL')
  } catch {
    // No process of the group is left.
  }
}
