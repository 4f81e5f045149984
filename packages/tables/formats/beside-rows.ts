/** The notice for something beside rows that is no row. The guard compares their number. */
export const besideRowsNotice = 'beside the rows, not read'
