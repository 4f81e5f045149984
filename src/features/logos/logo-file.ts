import { createHash } from 'node:crypto'

/** The images that are taken and served, and what they are called. */
export const imageTypes = {
  svg: 'image/svg+xml',
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
} as const
export type ImageFormat = keyof typeof imageTypes
export const imageFormats = Object.keys(imageTypes) as ImageFormat[]

/** Where the file store keeps them. */
export const logoFolder = 'logos'
const fileName = /^([0-9a-f]{64})\.(svg|png|jpeg|webp|gif)$/

/** A stored logo is named by its content, so that its address can be kept for ever. */
export function logoFileName(bytes: Uint8Array, format: ImageFormat): string {
  return `${createHash('sha256').update(bytes).digest('hex')}.${format}`
}

/** What the name of a stored logo says; null: it is none. */
export function readLogoFileName(name: string): { sha256: string; format: ImageFormat } | null {
  const [, sha256, format] = fileName.exec(name) ?? []
  return sha256 === undefined ? null : { sha256, format: format as ImageFormat }
}

/** What the file store calls it. */
export function storedName(name: string): string {
  return `${logoFolder}/${name}`
}
