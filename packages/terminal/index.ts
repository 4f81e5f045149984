/** Prints for people and programs: lines and tables, or one JSON value; long output as fast as it is read. */
export { type CommandResult, type Out, onOneLine, openOutput, printTable } from './output.ts'
export { toFile, toStdout, type Write } from './write-text.ts'
