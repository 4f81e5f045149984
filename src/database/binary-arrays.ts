/**
 * Arrays as PostgreSQL receives them in binary. Written as text each element is escaped here and parsed there: of six arrays of 280
 * elements that took PostgreSQL four times as long, and Node half as long again.
 */

type Nullable<Value> = Value | null

const oids = {
  int4: 23,
  int8: 20,
  text: 25,
  bytea: 17,
  json: 114,
  jsonb: 3802,
  timestamptz: 1184,
  uuid: 2950,
}

/** Dimensions, whether there are nulls, the elements' type; and of the one dimension its length and first index. */
const headerBytes = 20
const lengthBytes = 4
const nullLength = -1

type ElementType<Value> = {
  oid: number
  bytesOf(value: Value): number
  /** Answers how many bytes it wrote. */
  write(value: Value, into: Buffer, at: number): number
}

function arrayOf<Value>({ oid, bytesOf, write }: ElementType<Value>) {
  return (values: readonly Nullable<Value>[]): Buffer => {
    let bytes = headerBytes
    for (const value of values) bytes += lengthBytes + (value === null ? 0 : bytesOf(value))
    const buffer = Buffer.allocUnsafe(bytes)
    buffer.writeInt32BE(values.length === 0 ? 0 : 1, 0)
    buffer.writeInt32BE(1, 4)
    buffer.writeInt32BE(oid, 8)
    buffer.writeInt32BE(values.length, 12)
    buffer.writeInt32BE(1, 16)
    let at = headerBytes
    for (const value of values) {
      const length = value === null ? nullLength : write(value, buffer, at + lengthBytes)
      buffer.writeInt32BE(length, at)
      at += lengthBytes + Math.max(length, 0)
    }
    // An empty array has no dimension, and ends behind its type.
    return values.length === 0 ? buffer.subarray(0, 12) : buffer
  }
}

/** Whole numbers that JavaScript holds exactly, in two halves: a BigInt for each would be dearer than all the rest. */
function writeInt8(value: number, into: Buffer, at: number): number {
  into.writeInt32BE(Math.floor(value / 2 ** 32), at)
  into.writeUInt32BE(value >>> 0, at + 4)
  return 8
}

const epochMs = Date.UTC(2000, 0, 1)

const utf8 = (oid: number) =>
  arrayOf<string | Buffer>({
    oid,
    bytesOf: text => Buffer.byteLength(text),
    write: (text, into, at) => (typeof text === 'string' ? into.write(text, at) : text.copy(into, at)),
  })

export const int4Array = arrayOf<number>({
  oid: oids.int4,
  bytesOf: () => 4,
  write: (value, into, at) => into.writeInt32BE(value, at) - at,
})
export const int8Array = arrayOf<number>({ oid: oids.int8, bytesOf: () => 8, write: writeInt8 })
export const textArray = utf8(oids.text)
export const jsonArray = utf8(oids.json)
/** Its binary form is the version of the form, and the text. */
export const jsonbArray = arrayOf<string>({
  oid: oids.jsonb,
  bytesOf: text => 1 + Buffer.byteLength(text),
  write(text, into, at) {
    into.writeUInt8(1, at)
    return 1 + into.write(text, at + 1)
  },
})
export const byteaArray = arrayOf<Buffer>({
  oid: oids.bytea,
  bytesOf: bytes => bytes.length,
  write: (bytes, into, at) => bytes.copy(into, at),
})
/** To the millisecond, which is what a Date holds. */
export const timestamptzArray = arrayOf<Date>({
  oid: oids.timestamptz,
  bytesOf: () => 8,
  write: (moment, into, at) => writeInt8((moment.getTime() - epochMs) * 1000, into, at),
})
export const uuidArray = arrayOf<string>({
  oid: oids.uuid,
  bytesOf: () => 16,
  write: (uuid, into, at) => into.write(uuid.replaceAll('-', ''), at, 'hex'),
})
