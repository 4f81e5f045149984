/** The body of the process that decodes images (read-image.ts). */
import { serveTasks } from '@baize/threads/process-body'
import { type DecodedImage, decodeImage } from './decode-image.ts'

serveTasks<Uint8Array, DecodedImage>(async function* (bytes) {
  yield await decodeImage(bytes)
})
