/**
 * Reads the XML parts of a workbook out of its zip archive, and packs them again for the spreadsheet reader.
 * Archives can lie about sizes: the declared sizes are bounded first, then each part is read up to its own.
 */
import { crc32 } from 'node:zlib'
import { zipSync } from 'fflate'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { Refusal } from '../stream.ts'

export const unpackedBytesMax = 128 * 1024 * 1024
const partsMax = 10_000

/** Returns the XML parts by name. Throws a Refusal for a broken, encrypted or too large archive. */
export async function unzipParts(fileName: string, archive: Buffer): Promise<Map<string, Buffer>> {
  const refuse = (problem: string): never => {
    throw new Refusal(`"${fileName}" ${problem}`)
  }
  const notZip = () => refuse('is not a complete zip archive: it is truncated or not an xlsx workbook')
  const zip = await fromBufferPromise(archive, { lazyEntries: true }).catch(notZip)
  if (zip.entryCount > partsMax) notZip()
  const entries = await Array.fromAsync(zip.eachEntry()).catch(notZip)
  if (!endsBehindItsParts(archive))
    refuse('has other bytes between its list of parts and its end: it may be two workbooks in one file')
  const xml = entries.filter(({ fileName: name }) => /\.(?:xml|rels)$/i.test(name))
  if (new Set(xml.map(({ fileName: name }) => name)).size < xml.length) refuse('has a part twice')
  const bytes = xml.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0)
  if (bytes > unpackedBytesMax) refuse(`unpacks to ${bytes} bytes; at most ${unpackedBytesMax} are accepted`)
  const parts = new Map<string, Buffer>()
  for (const entry of xml)
    parts.set(
      entry.fileName,
      (await readPart(zip, entry).catch(() => null)) ?? refuse(`has a broken part, ${entry.fileName}`),
    )
  return parts
}

const endSignature = Buffer.from('PK\x05\x06', 'latin1')
const locator64Signature = 0x07064b50
const locator64Bytes = 20

/**
 * The end of an archive follows its list of parts, or the zip64 record behind that list. The end of a second
 * archive that was appended points into the first one instead.
 */
function endsBehindItsParts(archive: Buffer): boolean {
  const end = archive.lastIndexOf(endSignature)
  const locator = end - locator64Bytes
  if (locator < 0 || archive.readUInt32LE(locator) !== locator64Signature)
    return archive.readUInt32LE(end + 12) + archive.readUInt32LE(end + 16) === end
  const record = Number(archive.readBigUInt64LE(locator + 8))
  return record <= locator - 12 && record + 12 + Number(archive.readBigUInt64LE(record + 4)) === locator
}

/** yauzl stops a part that is longer than declared. It does not compare checksums. */
async function readPart(zip: ZipFile, entry: Entry): Promise<Buffer | null> {
  const pieces: Buffer[] = []
  for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(piece)
  const part = Buffer.concat(pieces)
  return crc32(part) === entry.crc32 ? part : null
}

/** Packs the checked parts, so that the spreadsheet reader sees these bytes and no others. */
export function zipParts(parts: ReadonlyMap<string, Buffer>): Buffer {
  return Buffer.from(zipSync(Object.fromEntries(parts), { level: 0 }))
}
