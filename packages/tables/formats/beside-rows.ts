/** The notice for something beside rows that is no row. The guard compares their number. */
export const besideRowsNotice = 'beside the rows, not read'

/** The notice for a table with other columns. A page may have any number of them, so the guard compares none. */
export const otherTableNotice = 'a table with other columns, not read'
