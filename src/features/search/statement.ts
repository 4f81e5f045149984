/**
 * The values of a statement, numbered as its text names them. Texts are of a few shapes, so that a kept plan is found again;
 * what a customer sends is always a value.
 */
export class Values {
  readonly held: unknown[] = []

  /** How the text names the value; it may stand there several times. */
  add(value: unknown, type: string): string {
    this.held.push(value)
    return `$${this.held.length}::${type}`
  }
}

/** A list of ids as PostgreSQL reads it. */
export const idsText = (ids: readonly number[]) => `{${ids.join(',')}}`
