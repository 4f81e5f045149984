import { isUtf8 } from 'node:buffer'
import { BadImage } from './bad-image.ts'
import type { ImageFormat } from './logo-file.ts'
import { readRaster } from './read-raster.ts'
import { readSvg, svgBytesMax } from './read-svg.ts'

export const imageBytesMax = 2 * 1024 * 1024

type Image = {
  /** An SVG is rewritten, any other image is unchanged. */
  bytes: Uint8Array
  format: ImageFormat
  /** In pixels; null: an SVG without a size. */
  width: number | null
  height: number | null
}

/** Detects the format from the bytes alone. Fails with BadImage. */
export async function readImage(bytes: Uint8Array): Promise<Image> {
  if (bytes.length === 0) throw new BadImage('is empty')
  if (bytes.length > imageBytesMax) throw new BadImage(`has more than ${imageBytesMax} bytes`)
  const format = rasterFormatOf(bytes)
  if (format !== null) return { bytes, format, ...(await readRaster(bytes, format)) }
  const text = textOf(bytes)
  if (text === null) throw new BadImage('is not an SVG, PNG, JPEG, WebP or GIF')
  if (bytes.length > svgBytesMax) throw new BadImage(`is an SVG of more than ${svgBytesMax} bytes`)
  const { text: rewritten, width, height } = readSvg(text)
  return { bytes: Buffer.from(rewritten), format: 'svg', width, height }
}

function rasterFormatOf(bytes: Uint8Array): Exclude<ImageFormat, 'svg'> | null {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'gif'
  return head.startsWith('RIFF') && head.slice(8) === 'WEBP' ? 'webp' : null
}

function textOf(bytes: Uint8Array): string | null {
  if (!isUtf8(bytes)) return null
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  const trimmed = text.replace(/^\ufeff/, '').trimStart()
  return trimmed.startsWith('<') ? trimmed : null
}
