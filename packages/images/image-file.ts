import { createHash } from 'node:crypto'

export const imageTypes = {
  svg: 'image/svg+xml',
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
} as const
export type ImageFormat = keyof typeof imageTypes
export const imageFormats = Object.keys(imageTypes) as ImageFormat[]

const fileName = /^([0-9a-f]{64})\.(svg|png|jpeg|webp|gif)$/

/** Names a file after its content, so that a URL never changes its image. */
export function imageFileName(bytes: Uint8Array, format: ImageFormat): string {
  return `${createHash('sha256').update(bytes).digest('hex')}.${format}`
}

export function readImageFileName(name: string): { sha256: string; format: ImageFormat } | null {
  const [, sha256, format] = fileName.exec(name) ?? []
  return sha256 === undefined ? null : { sha256, format: format as ImageFormat }
}

/** The error of an unusable image. Its message continues a sentence that begins with the file name. */
export class BadImage extends Error {
  override readonly name = 'BadImage'
}
