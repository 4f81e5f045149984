export { markDatasetChanged, recomputeVerdicts, verifyListings, verifyVerdicts } from './verdict-store.ts'
