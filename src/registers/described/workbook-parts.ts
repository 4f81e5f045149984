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
