import type sharp from 'sharp'
import { BadImage } from './bad-image.ts'
import type { ImageFormat } from './logo-file.ts'

/** 16 megapixels, which fit in memory unpacked. */
const pixelsMax = 4_096 * 4_096

const loaders = ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif']

let loading: Promise<typeof sharp> | null = null

/** Loaded with the first image: it uses 30 MB, and most processes read no image. */
function loadSharp(): Promise<typeof sharp> {
  loading ??= import('sharp').then(({ default: loaded }) => {
    loaded.cache(false)
    loaded.block({ operation: ['VipsForeignLoad'] })
    loaded.unblock({ operation: loaders })
    return loaded
  })
  return loading
}

/** Decodes all pixels, so that a damaged file is rejected. Fails with BadImage. */
export async function readRaster(
  bytes: Uint8Array,
  format: ImageFormat,
): Promise<{ width: number; height: number }> {
  const sharp = await loadSharp()
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
