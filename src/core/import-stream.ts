/** Who owns the facts that interchange files told, as those of a register are its stream's. */
export const importStream = 'import'
