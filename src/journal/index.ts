export { type DatasetEvent, lockFacts, type RecordedEvent, readEvents, recordEvent } from './events-store.ts'
export { type StoredFile, storeFile, FileWriter, openStoredFile } from './kept-files-store.ts'
