/** Says what the difference of two snapshots means: the events of a record, with a headline and their date. */
export {
  type ChangedEntry,
  type ChangeSet,
  type RegisterChangeContent,
  type RegisterEvent,
  type RegisterEventType,
  registerEventTypes,
} from './event.ts'
export { type Between, eventsOfChange } from './events-of-change.ts'
export type { RecordChange } from './record-change.ts'
