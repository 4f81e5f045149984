/** Reads files and pages of registers in a process of their own. */
export { explainRefusals } from './explain-refusals.ts'
export { findApart, readApart } from './read-apart.ts'
