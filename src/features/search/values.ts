/** Values of a statement. Customer input is never written into SQL. */
export class Values {
  readonly list: unknown[] = []

  add(value: unknown, type: string): string {
    this.list.push(value)
    return `$${this.list.length}::${type}`
  }
}

export const idsText = (ids: readonly number[]) => `{${ids.join(',')}}`
