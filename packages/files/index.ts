import { openBucket } from './bucket.ts'
import type { FilePlace } from './file-place.ts'
import type { FileStore } from './file-store.ts'
import { makeRoot, openFolder } from './folder.ts'

export type { FilePlace } from './file-place.ts'
export { type ByteRange, type FileStore, memoryFile, type StoredFile } from './file-store.ts'
export { MakeFolderError, makeFolder } from './make-folder.ts'

/** Opens the store for large files when the first file needs it. */
export function openFileStore(place: FilePlace): FileStore {
  return place.kind === 'folder' ? openFolder(place.path) : openBucket(place)
}

/** Fails at startup if the folder cannot be created. A bucket is not checked. */
export async function requireFilePlace(place: FilePlace): Promise<void> {
  if (place.kind === 'folder') await makeRoot(place.path)
}
