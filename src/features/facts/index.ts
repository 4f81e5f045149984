export { closeStates, extendStates } from './close-states-store.ts'
export { endFactChange } from './end-fact-change.ts'
export { analyseFacts, analyseLargeChange } from './facts-store.ts'
export { lapseLicenses } from './lapse-licenses-store.ts'
