export { type DumpOptions, type DumpReport, dumpWorld } from './dump/dump-world.ts'
export { type ImportOptions, type ImportProgress, importFiles, replayImport } from './import-files.ts'
export type { RecordedImport } from './import-record.ts'
export type { Counts, ImportReport, RejectedLine } from './import-report.ts'
export { type DemoSnapshot, demoFiles, demoSnapshots, loadDemo } from './load-demo.ts'
export {
  type RecordKind,
  recordKinds,
  recordSchemas,
} from './read/record-schemas.ts'
