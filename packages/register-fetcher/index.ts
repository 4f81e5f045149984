/** Finds and fetches the official files of a register, politely and within limits. */
export { explainFailure } from './explain-failure.ts'
export {
  type FetchedSnapshot,
  type FetchFilesOptions,
  fetchFiles,
  sourceFileBytesMax,
  type Validators,
} from './fetch-files.ts'
export { findFiles } from './find-files.ts'
export { isDue, lastTurn, nightlyMinutes, type Watch } from './is-due.ts'
export type { RenderPage } from './render-files.ts'
