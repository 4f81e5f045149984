export { type LoadedList, loadPastList, withdrawPastList } from './past-lists.ts'
export { readTimeline, type TimelinePeriod } from './past-lists-store.ts'
