/** Text that is too much for one answer, handed on as fast as whoever reads takes it. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { realpath, rename, rm, stat } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'

/** Hands a piece on; settles when there is room for another. */
export type Write = (text: string) => Promise<void>

/** Whoever reads, `head` for one, may have read enough. */
export async function toStdout(work: (write: Write) => Promise<unknown>): Promise<void> {
  try {
    await writing(process.stdout, work)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  }
}

/**
 * Settles when everything is in the file. Until then what was there before stands under its name, and goes on to if the work fails;
 * a pipe or a device is written as it is.
 */
export async function toFile<Result>(path: string, work: (write: Write) => Promise<Result>): Promise<Result> {
  const place = await realpath(path).catch(() => path)
  const isPlain = await stat(place).then(
    facts => facts.isFile(),
    () => true,
  )
  const part = isPlain ? `${place}.${randomBytes(6).toString('hex')}.part` : place
  const file = createWriteStream(part)
  // Each write, and the end, tells of an error; unheard in between, it would end the process.
  file.on('error', () => {})
  try {
    const result = await writing(file, work)
    file.end()
    await finished(file)
    if (isPlain) await rename(part, place)
    return result
  } finally {
    file.destroy()
    if (isPlain) await rm(part, { force: true })
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
