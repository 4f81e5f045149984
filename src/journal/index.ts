export {
  keepNoVersions,
  lockFacts,
  type RecordedEvent,
  readEvents,
  recordEvent,
  reviewedBrandStream,
} from './events-store.ts'
export { FileWriter, openStoredFile } from './stored-files-store.ts'
