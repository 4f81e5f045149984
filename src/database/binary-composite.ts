/** The array type of each element type that binary-arrays.ts writes (pg_type.oid). */
const arrayOidOf = new Map([
  [17, 1001], // bytea
  [20, 1016], // int8
  [23, 1007], // int4
  [25, 1009], // text
  [114, 199], // json
  [1184, 1185], // timestamptz
  [2950, 2951], // uuid
  [3802, 3807], // jsonb
])

/** Where a binary array has its element type. */
const elementOidAt = 8

/**
 * A composite value whose fields are arrays, as PostgreSQL receives it in binary: the number of fields, and for each its
 * type, its length and its bytes. Fields and their types must be those of the composite type, in its order.
 */
export function compositeOfArrays(arrays: readonly Buffer[]): Buffer {
  const pieces: Buffer[] = []
  const count = Buffer.allocUnsafe(4)
  count.writeInt32BE(arrays.length, 0)
  pieces.push(count)
  for (const array of arrays) {
    const head = Buffer.allocUnsafe(8)
    head.writeInt32BE(arrayOidOf.get(array.readInt32BE(elementOidAt)) as number, 0)
    head.writeInt32BE(array.length, 4)
    pieces.push(head, array)
  }
  return Buffer.concat(pieces)
}
