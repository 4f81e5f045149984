/** The message continues a sentence that begins with the file name. */
export class BadImage extends Error {
  override readonly name = 'BadImage'
}
