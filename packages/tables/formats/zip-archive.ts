/**
 * Opens a zip archive, such as a workbook, and unpacks its parts in pieces. Archives can declare wrong
 * sizes, so all unpacked bytes count against one limit.
 */
import { crc32 } from 'node:zlib'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { Refusal, type SourceFile } from '../source/source-file.ts'
import { kindByMagic } from '../source/source-text.ts'

const packedBytesMax = 64 * 1024 * 1024
/** The limit allows for reading a sheet twice: for its merged cells, then for its rows. */
const unpackedBytesMax = 256 * 1024 * 1024
const partsMax = 10_000

/** What an archive should be, in the words of its refusals. */
type Kind = { expected: string; noun: string }
export const workbookKind: Kind = { expected: 'an xlsx workbook', noun: 'workbook' }
export const zipKind: Kind = { expected: 'a zip archive', noun: 'archive' }

export class ZipArchive {
  readonly #fileName: string
  readonly #kind: Kind
  readonly #zip: ZipFile
  readonly #entries: ReadonlyMap<string, Entry>
  #bytesLeft = unpackedBytesMax

  private constructor(
    { name, kind }: { name: string; kind: Kind },
    zip: ZipFile,
    entries: ReadonlyMap<string, Entry>,
  ) {
    this.#fileName = name
    this.#kind = kind
    this.#zip = zip
    this.#entries = entries
  }

  /** Opens the archive. Throws a Refusal for other files and for broken or too large archives. */
  static async open(file: SourceFile, kind: Kind): Promise<ZipArchive> {
    const refuse = (problem: string): never => {
      throw new Refusal(`"${file.name}" ${problem}`)
    }
    const notZip = () => refuse(`is not a complete zip archive: it is truncated or not ${kind.expected}`)
    const archive = await archiveBytes(file, kind)
    const zip = await fromBufferPromise(archive, { lazyEntries: true }).catch(notZip)
    if (zip.entryCount > partsMax) notZip()
    const entries = await Array.fromAsync(zip.eachEntry()).catch(notZip)
    if (!endsBehindItsParts(archive))
      refuse(`has other bytes between its list of parts and its end: it may be two ${kind.noun}s in one file`)
    const byName = new Map(entries.map(entry => [keyOf(entry.fileName), entry]))
    if (byName.size < entries.length) refuse('has a part twice')
    return new ZipArchive({ name: file.name, kind }, zip, byName)
  }

  /** The names of all files, as printed. */
  get names(): string[] {
    return [...this.#entries.values()].map(entry => entry.fileName).filter(name => !name.endsWith('/'))
  }

  has(part: string): boolean {
    return this.#entries.has(keyOf(part))
  }

  /** Unpacks a part. yauzl stops a part that is longer than declared, but does not compare checksums. */
  async *pieces(part: string): AsyncGenerator<Buffer, void> {
    const entry = this.#entries.get(keyOf(part)) ?? this.refuse(`lacks the part ${part}`)
    const isBroken = () => this.refuse(`has a broken part, ${part}`)
    const stream = await this.#zip.openReadStreamPromise(entry).catch(isBroken)
    const pieces = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
    let checksum = 0
    try {
      for (;;) {
        const { done, value: piece } = await pieces.next().catch(isBroken)
        if (done) break
        checksum = crc32(piece, checksum)
        this.#bytesLeft -= piece.length
        if (this.#bytesLeft < 0)
          this.refuse(
            `unpacks to more than ${unpackedBytesMax / 1024 / 1024} MiB, the limit for ${this.#kind.noun}s`,
          )
        yield piece
      }
    } finally {
      stream.destroy()
    }
    if (checksum !== entry.crc32) isBroken()
  }

  refuse(problem: string): never {
    throw new Refusal(`"${this.#fileName}" ${problem}`)
  }
}

/** Folds the name of a part, because some writers spell a part and its address in different case. */
const keyOf = (part: string) => part.toLowerCase()

async function archiveBytes(file: SourceFile, { expected, noun }: Kind): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of file.open()) {
    if (bytes === 0) refuseOtherKind(file.name, piece, expected)
    bytes += piece.length
    if (bytes > packedBytesMax) {
      throw new Refusal(
        `"${file.name}" is larger than ${packedBytesMax / 1024 / 1024} MiB, the limit for ${noun}s`,
      )
    }
    pieces.push(piece)
  }
  if (bytes === 0) throw new Refusal(`"${file.name}" is empty`)
  return Buffer.concat(pieces)
}

function refuseOtherKind(name: string, start: Uint8Array, expected: string): void {
  if (start[0] === 0x50 && (start.length < 2 || start[1] === 0x4b)) return
  const opening = new TextDecoder().decode(start.subarray(0, 60)).trim().replaceAll(/\s+/g, ' ')
  const found = kindByMagic(start) ?? JSON.stringify(opening)
  throw new Refusal(`"${name}": expected ${expected}, found ${found}`)
}

const endSignature = Buffer.from('PK\x05\x06', 'latin1')
const locator64Signature = 0x07064b50
const locator64Bytes = 20

/**
 * Checks that the archive's end follows its list of parts, or the zip64 record after that list. The end of
 * a second, appended archive would point into the first one.
 */
function endsBehindItsParts(archive: Buffer): boolean {
  const end = archive.lastIndexOf(endSignature)
  const locator = end - locator64Bytes
  if (locator < 0 || archive.readUInt32LE(locator) !== locator64Signature)
    return archive.readUInt32LE(end + 12) + archive.readUInt32LE(end + 16) === end
  const record = Number(archive.readBigUInt64LE(locator + 8))
  return record <= locator - 12 && record + 12 + Number(archive.readBigUInt64LE(record + 4)) === locator
}
