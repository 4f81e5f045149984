import { Refusal } from '../stream.ts'

/** The current file was not found at the official address. The message says what to do. */
export class Unresolved extends Refusal {}
