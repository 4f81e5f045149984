/** Finds the current files of a register on its regulator's pages, and says what came in place of one. */
export { extraCaAt } from './extra-ca.ts'
export { findFileLinks } from './find-link.ts'
export { layoutChanges, unknownColumnsOf } from './layout-changes.ts'
export { Unresolved } from './unresolved.ts'
export { sheetUrl } from './workbook-url.ts'
