/** The stream that owns facts of interchange files, as a register's stream owns the register's facts. */
export const importStream = 'import'
