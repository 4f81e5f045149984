/** Applies CSS selectors, for tests that read pages by other means than the readers. */
export { selectorsFor } from '../formats/page-selectors.ts'
