/** Text that is too much for one answer, handed on as fast as whoever reads takes it. */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
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

/** Settles when everything is in the file. */
export async function toFile<Result>(path: string, work: (write: Write) => Promise<Result>): Promise<Result> {
  const file = createWriteStream(path)
  // Each write, and the end, tells of an error; unheard in between, it would end the process.
  file.on('error', () => {})
  try {
    const result = await writing(file, work)
    file.end()
    await finished(file)
    return result
  } finally {
    file.destroy()
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
