import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { pipeline, Readable } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import { sql } from 'kysely'
import type { Database, Transaction } from '../database/open.ts'

const chunkBytes = 1024 * 1024
/** This level compresses rows of a register to a sixth of their size at about 100 MB a second. */
const gzipLevel = 1

export type StoredFile = { sha256: Buffer; bytes: number }

/**
 * Archives a file under its digest, in the transaction of its snapshot or import. The file is streamed;
 * equal content is stored once.
 */
export class FileWriter {
  readonly #tx: Transaction
  readonly #hash = createHash('sha256')
  readonly #gzip = createGzip({ level: gzipLevel })
  #bytes = 0
  #id: number | null = null
  #position = 0
  #packed: Buffer[] = []
  #packedBytes = 0

  constructor(tx: Transaction) {
    this.#tx = tx
    this.#gzip.on('data', (piece: Buffer) => {
      this.#packed.push(piece)
      this.#packedBytes += piece.byteLength
    })
  }

  async write(content: Uint8Array | string): Promise<void> {
    const piece = typeof content === 'string' ? Buffer.from(content) : content
    this.#hash.update(piece)
    this.#bytes += piece.byteLength
    if (!this.#gzip.write(piece)) await once(this.#gzip, 'drain')
    if (this.#packedBytes >= chunkBytes) await this.#store()
  }

  async end(): Promise<StoredFile> {
    const ended = once(this.#gzip, 'end')
    this.#gzip.end()
    await ended
    await this.#store()
    const sha256 = this.#hash.digest()
    const { numAffectedRows } = await sql`
      insert into kept_files (id, sha256, bytes) values (${this.#id}, ${sha256}, ${this.#bytes})
      on conflict (sha256) do nothing`.execute(this.#tx)
    if (numAffectedRows === 0n)
      await sql`delete from kept_chunks where file_id = ${this.#id}`.execute(this.#tx)
    return { sha256, bytes: this.#bytes }
  }

  async discard(): Promise<void> {
    this.#gzip.destroy()
    if (this.#id !== null) await sql`delete from kept_chunks where file_id = ${this.#id}`.execute(this.#tx)
  }

  async #store(): Promise<void> {
    const packed = Buffer.concat(this.#packed)
    this.#packed = []
    this.#packedBytes = 0
    this.#id ??= await nextFileId(this.#tx)
    await sql`
      insert into kept_chunks (file_id, position, packed)
      values (${this.#id}, ${this.#position}, ${packed})`.execute(this.#tx)
    this.#position += 1
  }
}

async function nextFileId(tx: Transaction): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('kept_files', 'id')) as id`.execute(tx)
  return rows[0]?.id as number
}

/** Streams an archived file; throws if no file has this digest. */
export async function* openStoredFile(database: Database, sha256: Buffer): AsyncGenerator<Uint8Array, void> {
  // `pipeline` passes an error of the source on to the reader of the unpacker.
  const unpacked: AsyncIterable<Buffer> = pipeline(
    Readable.from(readChunks(database, sha256)),
    createGunzip(),
    () => {},
  )
  yield* unpacked
}

async function* readChunks(database: Database, sha256: Buffer): AsyncGenerator<Buffer, void> {
  for (let position = 0; ; position += 1) {
    const { rows } = await sql<{ packed: Buffer }>`
      select packed
        from kept_chunks chunk
        join kept_files file on file.id = chunk.file_id
       where file.sha256 = ${sha256}
         and chunk.position = ${position}`.execute(database)
    const packed = rows[0]?.packed
    if (packed !== undefined) yield packed
    else if (position === 0) throw new Error(`no archived file has the digest ${sha256.toString('hex')}`)
    else return
  }
}
