import type { FilePlace } from '../config/settings.ts'
import type { FileStore } from '../core/file-store.ts'
import { openBucket } from './bucket.ts'
import { makeRoot, openFolder } from './folder.ts'

export { MakeFolderError, makeFolder } from './make-folder.ts'

/** Where the settings put files that are too large for rows. Nothing is opened before the first file is asked for. */
export function openFileStore(place: FilePlace): FileStore {
  return place.kind === 'folder' ? openFolder(place.path) : openBucket(place)
}

/** A folder that cannot be made is told when a service starts, not with its first file. A bucket is not asked before that. */
export async function requireFilePlace(place: FilePlace): Promise<void> {
  if (place.kind === 'folder') await makeRoot(place.path)
}
