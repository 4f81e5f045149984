/**
 * Decodes images in a process of their own: 700 bytes of WebP become 130 MB outside of the heap, and an SVG
 * can take half a second.
 */
import { TaskEnded, TaskFailed, WatchedProcess } from '@baize/threads/process'
import { type DecodedImage, decodeImage, rasterFormatOf } from './decode-image.ts'
import { BadImage, type ImageFormat } from './image-file.ts'

export const imageBytesMax = 2 * 1024 * 1024
/** The worst SVG of this size takes 20 ms, and is read in place. */
const smallBytesMax = 8 * 1024
/** The largest image of each format needs 150 MB beside the 70 of the process. */
const memoryMbMax = 320
/** The largest image needs 1.5 s. */
const imageCpuMsMax = 5_000
/** A busy machine may need longer than the processor time. */
const imageMsMax = 30_000

const decoder = new WatchedProcess<Uint8Array, DecodedImage>(new URL('./image-process.ts', import.meta.url), {
  memoryMbMax,
  heapMbMax: 64,
  taskCpuMsMax: imageCpuMsMax,
  taskMsMax: imageMsMax,
  idleMsMax: 5_000,
})

export type Image = {
  /** The bytes of the image: an SVG is rewritten, other formats are unchanged. */
  bytes: Uint8Array
  format: ImageFormat
  /** The width in pixels; null for an SVG without a size. */
  width: number | null
  height: number | null
}

/**
 * Reads an image, and detects its format from the bytes alone. Fails with BadImage, or with the signal's
 * reason.
 */
export async function readImage(bytes: Uint8Array, signal?: AbortSignal): Promise<Image> {
  if (bytes.length === 0) throw new BadImage('is empty')
  if (bytes.length > imageBytesMax) throw new BadImage(`has more than ${imageBytesMax} bytes`)
  // A view of a larger buffer would be sent with all of it.
  const { svg, ...image } = await decode(new Uint8Array(bytes), signal)
  return { bytes: svg === null ? bytes : Buffer.from(svg), ...image }
}

async function decode(bytes: Uint8Array, signal?: AbortSignal): Promise<DecodedImage> {
  if (bytes.length <= smallBytesMax && rasterFormatOf(bytes) === null) return decodeImage(bytes)
  try {
    const [image] = (await Array.fromAsync(decoder.run(bytes, [], signal))).flat()
    return image as DecodedImage
  } catch (error) {
    if (error instanceof TaskFailed && error.kind === BadImage.name) throw new BadImage(error.message)
    if (error instanceof TaskEnded)
      throw new BadImage('takes too much time or memory to decode, or is broken', { cause: error })
    throw error
  }
}
