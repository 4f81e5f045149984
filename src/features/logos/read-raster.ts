import type sharp from 'sharp'
import { BadImage } from './bad-image.ts'
import type { ImageFormat } from './logo-file.ts'

/** 16 megapixels: a logo that is larger is no logo, and unpacked it would fill the memory. */
const pixelsMax = 4_096 * 4_096

/** What libvips may read: the four formats that are taken, and none of the dozens that it knows beside them. */
const loaders = ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif']

let loading: Promise<typeof sharp> | null = null

/** Loaded with the first image: it is 30 MB of a process that may never see one. */
function loadSharp(): Promise<typeof sharp> {
  loading ??= import('sharp').then(({ default: loaded }) => {
    loaded.cache(false)
    loaded.block({ operation: ['VipsForeignLoad'] })
    loaded.unblock({ operation: loaders })
    return loaded
  })
  return loading
}

/**
 * The size of an image as it is shown. All of it is unpacked once, so that a truncated or damaged file is refused here and
 * not shown to somebody. Fails with BadImage.
 */
export async function readRaster(
  bytes: Uint8Array,
  format: ImageFormat,
): Promise<{ width: number; height: number }> {
  const sharp = await loadSharp()
  try {
    const image = sharp(bytes, { limitInputPixels: pixelsMax, failOn: 'error', sequentialRead: true })
    const { format: found, autoOrient } = await image.metadata()
    if (found !== format) throw new BadImage(`is not the ${format} that it begins as`)
    const { width, height } = autoOrient
    if (width * height > pixelsMax) throw new BadImage(`has more than ${pixelsMax} pixels`)
    await image.stats()
    return { width, height }
  } catch (error) {
    if (error instanceof BadImage) throw error
    throw new BadImage(`is not a whole ${format}: ${firstLine(error)}`)
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] as string
}
