import { Refusal } from '@baize/tables'

/** Means that the current file was not found at the official address. The message gives advice. */
export class Unresolved extends Refusal {}

/** Limits the pages of a list that an index names. The largest known list has about 80. */
export const pagesMax = 200
