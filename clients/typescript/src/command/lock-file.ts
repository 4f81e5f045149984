import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { BaizeError } from '../index.ts'

/** Two processes with one journal would pay twice. Returns the release; that of a killed process is taken over. */
export function lockFile(path: string): () => void {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const pid = readFileSync(path, 'utf8')
    // Empty: it is being written.
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
