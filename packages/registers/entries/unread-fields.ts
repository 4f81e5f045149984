import { readDataFile } from '../read-data-file.ts'

/** The fields that the official file of a stream has and its description does not read. */
export const unreadFieldsOfStreams = readDataFile<Readonly<Record<string, readonly string[]>>>(
  new URL('unread-fields.yaml', import.meta.url),
)
