/** Returns the form of a noun or verb for a count: `row` for 1, else `rows`. Irregular forms are given. */
export const plural = (count: number, one: string, several = `${one}s`): string =>
  count === 1 ? one : several

/** Prints `1 row` or `2 rows`. */
export const counted = (count: number, one: string, several?: string): string =>
  `${count} ${plural(count, one, several)}`
