/**
 * The values of a statement, numbered as its text names them: whatever a customer sends is passed as a value.
 */
export class Values {
  readonly list: unknown[] = []

  /** Returns the placeholder, which the text may repeat. */
  add(value: unknown, type: string): string {
    this.list.push(value)
    return `$${this.list.length}::${type}`
  }
}

/** A list of ids as a PostgreSQL array literal. */
export const idsText = (ids: readonly number[]) => `{${ids.join(',')}}`
