/** Streams long output as fast as its reader accepts it. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { realpath, rename, rm, stat } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'

export type Write = (text: string) => Promise<void>

/** Writes text to stdout. A reader that closes the pipe early, such as `head`, is no failure. */
export async function toStdout(work: (write: Write) => Promise<unknown>): Promise<void> {
  try {
    await writing(process.stdout, work)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  }
}

/**
 * Replaces the file when everything is written; a failure leaves the old file. Pipes and devices are
 * written directly.
 */
export async function toFile<Result>(path: string, work: (write: Write) => Promise<Result>): Promise<Result> {
  const place = await realpath(path).catch(() => path)
  const isPlain = await stat(place).then(
    facts => facts.isFile(),
    () => true,
  )
  const part = isPlain ? `${place}.${randomBytes(6).toString('hex')}.part` : place
  const file = createWriteStream(part)
  // Without this listener, an error between writes would end the process. Writes and the end report errors
  // themselves.
  file.on('error', () => {})
  try {
    const result = await writing(file, work)
    file.end()
    await finished(file)
    if (isPlain) await rename(part, place)
    return result
  } finally {
    file.destroy()
    if (isPlain) {
      // A file that is still being opened would appear after its removal.
      await finished(file).catch(() => {})
      await rm(part, { force: true })
    }
  }
}

async function writing<Result>(target: Writable, work: (write: Write) => Promise<Result>): Promise<Result> {
  let broken: Error | null = null
  const onError = (error: Error) => {
    broken ??= error
  }
  target.on('error', onError)
  try {
    return await work(async text => {
      if (broken !== null) throw broken
      if (!target.write(text)) await once(target, 'drain')
    })
  } finally {
    target.off('error', onError)
  }
}
