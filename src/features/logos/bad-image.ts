/** Bytes that are no image, or none that is taken; the message says why, to the person who brought them. */
export class BadImage extends Error {
  override readonly name = 'BadImage'
}
