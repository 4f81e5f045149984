/** Judges images of strangers and rewrites SVGs, so that they can be shown; draws a monogram in place of one. */
export {
  BadImage,
  type ImageFormat,
  imageFileName,
  imageFormats,
  imageTypes,
  readImageFileName,
} from './image-file.ts'
export { drawMonogram, nameOfDomain } from './monogram.ts'
export { type Image, imageBytesMax, readImage } from './read-image.ts'
