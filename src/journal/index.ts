export { type DatasetEvent, lockFacts, type RecordedEvent, readEvents, recordEvent } from './events-store.ts'
export { FileKeeper, type KeptFile, keepFile, openKept } from './stored-files-store.ts'
