import { execFile, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import type { Leashed, ServerSignal } from './leash.ts'

const stopModes: Record<ServerSignal, string> = { INT: 'fast', QUIT: 'immediate', KILL: 'immediate' }

/**
 * Windows has neither signals nor a shell to hold a leash, so a killed program leaves its server behind, and the next
 * start ends that through pg_ctl. Meant for a developer's machine; no test runs it.
 */
export function runOnWindows(command: string[], pgCtl: string, cluster: string, output: number): Leashed {
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
    execFile(pgCtl, ['stop', '-D', cluster, '-m', mode, '-W'], () => done()) // failing: nothing runs there
  })
}

/** Node's sockets on Windows are named pipes, which PostgreSQL does not speak: a port of the loopback it is. */
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
