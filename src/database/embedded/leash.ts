import { spawn } from 'node:child_process'
import type { Writable } from 'node:stream'
import type { ServerUser } from './server-user.ts'
import { serverEnvironment } from './settings.ts'

/**
 * Stands between this program and the server, and holds the read end of a pipe. Each line on the pipe is a signal to
 * pass on; its end, which comes however this program dies, is SIGINT: fast shutdown. A process that watches by
 * itself, because kill -9 runs no handler and a server that outlives its program blocks the next start.
 * The server is this shell's child until it has waited for it, so its number cannot mean another process.
 */
const leashScript = `
socket=$1; shift
"$@" 3<&- &
server=$!
(while read -r signal; do kill -s "$signal" "$server"; done <&3; kill -s INT "$server") 2>/dev/null &
watcher=$!
wait "$server"; status=$?
kill -s KILL "$watcher" 2>/dev/null
[ -z "$socket" ] || rm -rf "$socket"
exit "$status"
`

export type ServerSignal = 'INT' | 'QUIT' | 'KILL'

export type Leashed = {
  /** Settles when the command has ended; `error` when it could not even be started. Never rejects. */
  ended: Promise<{ code: number | null; error?: Error }>
  signal(name: ServerSignal): void
  /** From now on the command does not keep this program alive: one that forgets to stop its server still ends. */
  background(): void
  /** Lets go: whatever still runs is told to stop. */
  release(): void
}

export type LeashOptions = {
  user: ServerUser
  /** File descriptor for the command's output. */
  output: number
  /** A temporary directory to remove after the command, even when this program is gone by then. */
  temporaryDirectory?: string | null
}

export function runOnLeash(command: string[], options: LeashOptions): Leashed {
  const { user, output, temporaryDirectory } = options
  const child = spawn('/bin/sh', ['-c', leashScript, 'baize-leash', temporaryDirectory ?? '', ...command], {
    stdio: ['ignore', output, output, 'pipe'],
    cwd: '/',
    // Nothing of the caller's: PGPORT, PGDATA or LC_ALL of a shell must not change what the server does.
    env: { PATH: '/usr/bin:/bin', ...serverEnvironment },
    // A session of its own: Ctrl-C reaches this program alone, which finishes what is in flight, then stops the server.
    detached: true,
    ...user.ids,
  })
  const pipe = child.stdio[3] as Writable & { unref(): void }
  pipe.on('error', () => {}) // a signal to a server that is gone already
  return {
    ended: new Promise(settle => {
      child.once('exit', code => settle({ code }))
      child.once('error', error => settle({ code: null, error }))
    }),
    signal: name => void pipe.write(`${name}\n`),
    background: () => {
      child.unref()
      pipe.unref()
    },
    release: () => void pipe.destroy(),
  }
}
