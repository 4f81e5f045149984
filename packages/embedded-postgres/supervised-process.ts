import { spawn } from 'node:child_process'
import type { Writable } from 'node:stream'
import type { ServerUser } from './server-user.ts'
import { serverEnvironment } from './settings.ts'

/**
 * This shell sends the server each signal that it reads from a pipe. The pipe closes when this program
 * dies, even by kill -9, and the shell then sends SIGINT, a fast shutdown. It waits for the server, so that
 * the process id cannot be reused meanwhile.
 */
const supervisorScript = `
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

export type SupervisedProcess = {
  /** `error` is set if the command could not be started. The promise never rejects. */
  ended: Promise<{ code: number | null; error?: Error }>
  signal(name: ServerSignal): void
  background(): void
  release(): void
}

export type SupervisionOptions = {
  user: ServerUser
  output: number
  /** The shell removes this directory after the command. */
  temporaryDirectory?: string | null
}

export function runSupervised(command: string[], options: SupervisionOptions): SupervisedProcess {
  const { user, output, temporaryDirectory } = options
  const child = spawn(
    '/bin/sh',
    ['-c', supervisorScript, 'baize-supervisor', temporaryDirectory ?? '', ...command],
    {
      stdio: ['ignore', output, output, 'pipe'],
      cwd: '/',
      // The caller’s environment is left out, because its PGPORT, PGDATA or LC_ALL could change the server.
      env: { PATH: '/usr/bin:/bin', ...serverEnvironment },
      // The server gets another session, so that Ctrl-C reaches only this program, which then stops the
      // server.
      detached: true,
      ...user.ids,
    },
  )
  const pipe = child.stdio[3] as Writable & { unref(): void }
  pipe.on('error', () => {}) // The server has already ended.
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
