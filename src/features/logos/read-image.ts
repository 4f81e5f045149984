import { isUtf8 } from 'node:buffer'
import { BadImage } from './bad-image.ts'
import type { ImageFormat } from './logo-file.ts'
import { readRaster } from './read-raster.ts'
import { readSvg, svgBytesMax } from './read-svg.ts'

export const imageBytesMax = 2 * 1024 * 1024

export type Image = {
  /** As they are kept: those of a drawing are made anew, those of any other image are the ones that came. */
  bytes: Uint8Array
  format: ImageFormat
  /** In pixels; null: a drawing without a size of its own. */
  width: number | null
  height: number | null
}

/**
 * What bytes are, by themselves: no name and no word of whoever brought them is believed. Fails with BadImage, whose
 * message goes on after the name of the file.
 */
export async function readImage(bytes: Uint8Array): Promise<Image> {
  if (bytes.length === 0) throw new BadImage('is empty')
  if (bytes.length > imageBytesMax) throw new BadImage(`has more than ${imageBytesMax} bytes`)
  const format = beginningOf(bytes)
  if (format !== null) return { bytes, format, ...(await readRaster(bytes, format)) }
  const text = textOf(bytes)
  if (text === null) throw new BadImage('is no SVG, PNG, JPEG, WebP or GIF')
  if (bytes.length > svgBytesMax) throw new BadImage(`is a drawing of more than ${svgBytesMax} bytes`)
  const { text: made, width, height } = readSvg(text)
  return { bytes: Buffer.from(made), format: 'svg', width, height }
}

function beginningOf(bytes: Uint8Array): Exclude<ImageFormat, 'svg'> | null {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'gif'
  return head.startsWith('RIFF') && head.slice(8) === 'WEBP' ? 'webp' : null
}

/** Text that may be XML; null: it is none. */
function textOf(bytes: Uint8Array): string | null {
  if (!isUtf8(bytes)) return null
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  const begun = text.replace(/^\ufeff/, '').trimStart()
  return begun.startsWith('<') ? begun : null
}
