/**
 * The parts of a workbook out of their zip archive, and back. An archive lies about its sizes as easily as
 * about anything: each part is unpacked into the room that it asked for and no further, and all of them
 * together have a bound that is looked at before the first one.
 */
import { promisify } from 'node:util'
import { crc32, inflateRaw } from 'node:zlib'
import { Refusal } from '../stream.ts'

export const unpackedBytesMax = 128 * 1024 * 1024
const partsMax = 10_000

const inflated = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflateRaw)

/**
 * APPNOTE.TXT 4.3: the records of a zip archive, by their signatures, without them and what follows as
 * text.
 */
const endRecord = { signature: 0x06054b50, bytes: 22, commentBytesMax: 65_535 }
const entryRecord = { signature: 0x02014b50, bytes: 46 }
const localRecord = { signature: 0x04034b50, bytes: 30 }

type Entry = {
  name: string
  encrypted: boolean
  method: number
  crc: number
  packedBytes: number
  unpackedBytes: number
  offset: number
}

/** The XML parts by name. */
export async function unzipParts(fileName: string, archive: Buffer): Promise<Map<string, Buffer>> {
  const refuse = (problem: string): never => {
    throw new Refusal(`"${fileName}" ${problem}`)
  }
  const entries = entriesOf(archive) ?? refuse('is no whole zip archive: it is cut off, or no xlsx workbook')
  const parts = entries.filter(({ name }) => /\.(?:xml|rels)$/i.test(name))
  if (new Set(parts.map(({ name }) => name)).size < parts.length) refuse('has a part twice')
  const bytes = parts.reduce((sum, { unpackedBytes }) => sum + unpackedBytes, 0)
  if (bytes > unpackedBytesMax) {
    refuse(`unpacks to ${bytes} bytes; at most ${unpackedBytesMax} are read of a workbook`)
  }
  const unzipped = new Map<string, Buffer>()
  for (const entry of parts)
    unzipped.set(entry.name, (await unpack(archive, entry)) ?? refuse(`has a broken part, ${entry.name}`))
  return unzipped
}

/** What the directory at the end lists; null where there is no such directory, or a record of it is none. */
function entriesOf(archive: Buffer): Entry[] | null {
  const end = endOf(archive)
  if (end === null) return null
  const count = archive.readUInt16LE(end + 10)
  let at = archive.readUInt32LE(end + 16)
  const entries: Entry[] = []
  // 65,535 and more stand in the records of zip64, which no register needs.
  if (count > partsMax) return null
  while (entries.length < count) {
    if (at + entryRecord.bytes > end || archive.readUInt32LE(at) !== entryRecord.signature) return null
    const nameBytes = archive.readUInt16LE(at + 28)
    const nameStart = at + entryRecord.bytes
    entries.push({
      name: archive.toString('utf8', nameStart, nameStart + nameBytes),
      encrypted: (archive.readUInt16LE(at + 8) & 1) === 1,
      method: archive.readUInt16LE(at + 10),
      crc: archive.readUInt32LE(at + 16),
      packedBytes: archive.readUInt32LE(at + 20),
      unpackedBytes: archive.readUInt32LE(at + 24),
      offset: archive.readUInt32LE(at + 42),
    })
    at = nameStart + nameBytes + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  return entries
}

/** The last record of an archive, behind which only its comment stands. */
function endOf(archive: Buffer): number | null {
  const last = archive.length - endRecord.bytes
  for (let at = last; at >= Math.max(0, last - endRecord.commentBytesMax); at -= 1) {
    if (archive.readUInt32LE(at) === endRecord.signature) return at
  }
  return null
}

const stored = 0
const deflated = 8

async function unpack(archive: Buffer, entry: Entry): Promise<Buffer | null> {
  const { offset, packedBytes, unpackedBytes, method } = entry
  if (entry.encrypted || offset + localRecord.bytes > archive.length) return null
  if (archive.readUInt32LE(offset) !== localRecord.signature) return null
  const start =
    offset + localRecord.bytes + archive.readUInt16LE(offset + 26) + archive.readUInt16LE(offset + 28)
  if (start + packedBytes > archive.length) return null
  const packed = archive.subarray(start, start + packedBytes)
  const part = method === stored ? packed : method === deflated ? await inflate(packed, unpackedBytes) : null
  return part !== null && part.length === unpackedBytes && crc32(part) === entry.crc ? part : null
}

async function inflate(packed: Buffer, bytesMax: number): Promise<Buffer | null> {
  try {
    return await inflated(packed, { maxOutputLength: Math.max(1, bytesMax) })
  } catch {
    return null
  }
}

/**
 * An archive of these parts, not packed: the same bytes for whoever reads it, by its directory or by its
 * records.
 */
export function zipParts(parts: ReadonlyMap<string, Buffer>): Buffer {
  const pieces: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [partName, part] of parts) {
    const name = Buffer.from(partName)
    const local = Buffer.alloc(localRecord.bytes)
    local.writeUInt32LE(localRecord.signature, 0)
    writeFacts(local, 4, part, name)
    const entry = Buffer.alloc(entryRecord.bytes)
    entry.writeUInt32LE(entryRecord.signature, 0)
    writeFacts(entry, 6, part, name)
    entry.writeUInt32LE(offset, 42)
    directory.push(entry, name)
    pieces.push(local, name, part)
    offset += local.length + name.length + part.length
  }
  const end = Buffer.alloc(endRecord.bytes)
  end.writeUInt32LE(endRecord.signature, 0)
  end.writeUInt16LE(parts.size, 8)
  end.writeUInt16LE(parts.size, 10)
  end.writeUInt32LE(
    directory.reduce((sum, piece) => sum + piece.length, 0),
    12,
  )
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...pieces, ...directory, end])
}

const versionNeeded = 20
/** Names are UTF-8. */
const flags = 0x0800

/** The fields that both kinds of records have, in one order. */
function writeFacts(record: Buffer, at: number, part: Buffer, name: Buffer): void {
  record.writeUInt16LE(versionNeeded, at)
  record.writeUInt16LE(flags, at + 2)
  record.writeUInt16LE(stored, at + 4)
  record.writeUInt32LE(crc32(part), at + 10)
  record.writeUInt32LE(part.length, at + 14)
  record.writeUInt32LE(part.length, at + 18)
  record.writeUInt16LE(name.length, at + 22)
}
