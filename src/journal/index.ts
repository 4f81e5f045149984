export { lockFacts, type RecordedEvent, readEvents, recordEvent } from './events-store.ts'
export { FileWriter, openStoredFile } from './stored-files-store.ts'
