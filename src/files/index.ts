import type { FilePlace } from '../config/settings.ts'
import type { FileStore } from '../core/file-store.ts'
import { openBucket } from './bucket.ts'
import { makeRoot, openFolder } from './folder.ts'

export { MakeFolderError, makeFolder } from './make-folder.ts'

/** Opens the store for large files when the first file needs it. */
export function openFileStore(place: FilePlace): FileStore {
  return place.kind === 'folder' ? openFolder(place.path) : openBucket(place)
}

/** Fails at startup if the folder cannot be created. A bucket is not checked. */
export async function requireFilePlace(place: FilePlace): Promise<void> {
  if (place.kind === 'folder') await makeRoot(place.path)
}
