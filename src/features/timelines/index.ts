export { type LoadedList, loadPastList, withdrawPastList } from './past-lists.ts'
export { readTimeline } from './past-lists-store.ts'
