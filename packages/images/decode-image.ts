import { isUtf8 } from 'node:buffer'
import { BadImage, type ImageFormat } from './image-file.ts'
import { readSvg, svgBytesMax } from './read-svg.ts'

export type DecodedImage = {
  /** The rewritten text of an SVG; null for other formats. */
  svg: string | null
  format: ImageFormat
  /** The width in pixels; null for an SVG without a size. */
  width: number | null
  height: number | null
}

/** Detects the format of an image from the bytes alone, and decodes it. Fails with BadImage. */
export async function decodeImage(bytes: Uint8Array): Promise<DecodedImage> {
  const format = rasterFormatOf(bytes)
  if (format !== null) return { svg: null, format, ...(await readRaster(bytes, format)) }
  const text = textOf(bytes)
  if (text === null) throw new BadImage('is not an SVG, PNG, JPEG, WebP or GIF')
  if (bytes.length > svgBytesMax) throw new BadImage(`is an SVG of more than ${svgBytesMax} bytes`)
  const { text: svg, width, height } = readSvg(text)
  return { svg, format: 'svg', width, height }
}

export function rasterFormatOf(bytes: Uint8Array): Exclude<ImageFormat, 'svg'> | null {
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

/** The most pixels of an image, 16 megapixels, which fit in memory unpacked. */
const pixelsMax = 4_096 * 4_096

const loaders = ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif']

let loaded: ReturnType<typeof loadSharp> | undefined

/** Loads sharp with the first raster image, because an SVG does not need it. */
async function loadSharp() {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: loaders })
  return sharp
}

/** Decodes all pixels, so that a damaged file is rejected. Fails with BadImage. */
async function readRaster(
  bytes: Uint8Array,
  format: ImageFormat,
): Promise<{ width: number; height: number }> {
  loaded ??= loadSharp()
  const sharp = await loaded
  try {
    const image = sharp(bytes, { limitInputPixels: pixelsMax, failOn: 'error', sequentialRead: true })
    const { format: detected, autoOrient } = await image.metadata()
    if (detected !== format) throw new BadImage(`is not a ${format}, although it begins like one`)
    const { width, height } = autoOrient
    if (width * height > pixelsMax) throw new BadImage(`has more than ${pixelsMax} pixels`)
    await image.stats()
    return { width, height }
  } catch (error) {
    if (error instanceof BadImage) throw error
    throw new BadImage(`is not a complete ${format}: ${firstLine(error)}`)
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] as string
}
