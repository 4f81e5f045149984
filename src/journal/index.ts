export { type DatasetEvent, lockFacts, type RecordedEvent, readEvents, recordEvent } from './events-store.ts'
export { FileWriter, openStoredFile, type StoredFile, storeFile } from './stored-files-store.ts'
