import { execFile, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import type { ServerSignal, SupervisedProcess } from './supervised-process.ts'

const stopModes: Record<ServerSignal, string> = { INT: 'fast', QUIT: 'immediate', KILL: 'immediate' }

/**
 * Windows has no signals: a killed program leaves its server, which the next start stops. This code is
 * untested.
 */
export function runOnWindows(
  command: string[],
  pgCtl: string,
  cluster: string,
  output: number,
): SupervisedProcess {
  const [file = '', ...args] = command
  const child = spawn(file, args, { stdio: ['ignore', output, output], windowsHide: true })
  return {
    ended: new Promise(settle => {
      child.once('exit', code => settle({ code }))
      child.once('error', error => settle({ code: null, error }))
    }),
    signal: name => void stopOnWindows(pgCtl, cluster, stopModes[name]),
    background: () => child.unref(),
    release: () => {
      if (child.exitCode === null) void stopOnWindows(pgCtl, cluster, 'fast')
    },
  }
}

export function stopOnWindows(pgCtl: string, cluster: string, mode: string): Promise<void> {
  return new Promise(done => {
    execFile(pgCtl, ['stop', '-D', cluster, '-m', mode, '-W'], () => done()) // fails when no server runs
  })
}

/** Finds a loopback port, because Node's unix sockets on Windows are named pipes, which PostgreSQL lacks. */
export function freePort(): Promise<number> {
  return new Promise((found, failed) => {
    const server = createServer()
    server.once('error', failed)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => found(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
