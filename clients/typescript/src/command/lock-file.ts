import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { BaizeError } from '../index.ts'

/**
 * Locks a journal, because two processes with one journal would pay twice. It takes over the lock of a
 * killed process. Returns the release.
 */
export function lockFile(path: string): () => void {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const pid = readFileSync(path, 'utf8')
    // Another process is writing an empty lock file.
    if (pid === '' || isAlive(Number(pid)))
      throw new BaizeError(`Process ${pid} works on the same files. If it does not, delete ${path}.`)
    rmSync(path, { force: true })
    return lockFile(path)
  }
  return () => rmSync(path, { force: true })
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
