import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const pieceBytes = 64 * 1024

/** A temporary file on disk. It can be read several times until it is disposed of. */
export type SpooledFile = AsyncDisposable & {
  readonly bytes: number
  open(): AsyncGenerator<Uint8Array, void>
  dispose(): Promise<void>
}

/** Spools content to an unlinked temporary file, so that nothing remains if the process is killed. */
export async function spool(content: AsyncIterable<Uint8Array>): Promise<SpooledFile> {
  const file = await openNameless()
  try {
    let bytes = 0
    for await (const chunk of content) {
      await file.handle.write(chunk, 0, chunk.byteLength, bytes)
      bytes += chunk.byteLength
    }
    return {
      bytes,
      open: () => piecesOf(file.handle, bytes),
      dispose: file.dispose,
      [Symbol.asyncDispose]: file.dispose,
    }
  } catch (error) {
    await file.dispose()
    throw error
  }
}

async function openNameless(): Promise<{ handle: FileHandle; dispose(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'baize-fetched-'))
  const remove = () => rm(directory, { recursive: true, force: true })
  const handle = await open(join(directory, 'file'), 'wx+', 0o600).catch(async error => {
    await remove()
    throw error
  })
  let closed: Promise<void> | null = null
  // Some systems cannot unlink an open file. It is then removed when it is closed.
  const isUnlinked = await remove().then(
    () => true,
    () => false,
  )
  const dispose = () => {
    closed ??= handle.close().then(isUnlinked ? undefined : remove)
    return closed
  }
  return { handle, dispose }
}

async function* piecesOf(handle: FileHandle, bytes: number): AsyncGenerator<Uint8Array, void> {
  for (let position = 0; position < bytes; ) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(pieceBytes), 0, pieceBytes, position)
    if (bytesRead === 0) throw new Error('the temporary file is shorter than the content written to it')
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}
