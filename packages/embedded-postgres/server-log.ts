import { closeSync, fstatSync, openSync, renameSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'

/** A start renames a larger log to `postgres.log.1`. */
const logBytesMax = 8 * 1024 * 1024

const tailBytesMax = 4096

export type ServerLog = {
  path: string
  descriptor: number
  /** Marks the start of a new attempt. After it, tail() returns only later lines. */
  mark(): void
  tail(): Promise<string>
  close(): void
}

export function openServerLog(dataDirectory: string): ServerLog {
  const path = join(dataDirectory, 'postgres.log')
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > logBytesMax) renameSync(path, `${path}.1`)
  const descriptor = openSync(path, 'a', 0o600)
  const size = () => fstatSync(descriptor).size
  let start = size()
  return {
    path,
    descriptor,
    mark: () => {
      start = size()
    },
    tail: async () => {
      const end = size()
      const from = Math.max(start, end - tailBytesMax)
      const file = await open(path, 'r')
      try {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(end - from), 0, end - from, from)
        return `The end of ${path}:\n${buffer.toString('utf8', 0, bytesRead).trimEnd() || '(nothing)'}`
      } finally {
        await file.close()
      }
    },
    close: () => closeSync(descriptor),
  }
}
