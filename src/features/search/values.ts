/** The values of a statement: whatever a customer sends is passed as a value. */
export class Values {
  readonly list: unknown[] = []

  add(value: unknown, type: string): string {
    this.list.push(value)
    return `$${this.list.length}::${type}`
  }
}

export const idsText = (ids: readonly number[]) => `{${ids.join(',')}}`
