import { Socket } from 'node:net'

const bufferBytes = 64 * 1024
/** What a connection keeps at most for the next answer; a longer one is read into a buffer of its own. */
const bufferKeptBytesMax = 1024 * 1024
/** How much room is made on the word of a header; for a longer message it grows as the bytes come. */
const believedBytesMax = 16 * 1024 * 1024
const lengthAt = 1
const headerBytes = 5
/** PostgreSQL sends none longer: it makes them in memory, a gigabyte at most. Letters of another protocol, read as a length, are more. */
const messageBytesMax = headerBytes + 1024 ** 3

/**
 * A socket for the driver whose bytes arrive in one buffer that it keeps, and go on as whole messages. A plain one takes 64 KB anew for
 * each read; and the driver, handed half a message, copies it into a buffer twice the size, and again until it is whole: 20 to 40 MB
 * of memory under pages of 1,000 rows (docs/decisions/0005-what-a-paid-verdict-costs.md).
 *
 * The driver has read a whole message when it returns. Not for COPY TO, which keeps what it is handed; under TLS it is a plain socket.
 */
export function messageSocket({ ssl }: { ssl?: unknown } = {}): Socket {
  if (ssl) return new Socket()
  let buffer: Buffer = Buffer.allocUnsafeSlow(bufferBytes)
  let filled = 0
  const socket = new Socket({
    onread: {
      buffer: () => buffer.subarray(filled),
      callback(count) {
        const held = buffer.subarray(0, filled + count)
        const { end, nextBytes } = wholeMessages(held)
        if (end > 0) socket.emit('data', held.subarray(0, end))
        if (!isPossible(nextBytes)) {
          socket.destroy(notPostgres())
          return false
        }
        buffer = roomFor(nextBytes, held.length - end, buffer)
        filled = held.copy(buffer, 0, end)
        return true
      },
    },
  })
  return socket
}

/** Where the last whole message ends, and how long the one behind it is as far as it is known. */
function wholeMessages(bytes: Buffer): { end: number; nextBytes: number } {
  let end = 0
  while (end + headerBytes <= bytes.length) {
    const nextBytes = lengthAt + bytes.readUInt32BE(end + lengthAt)
    if (!isPossible(nextBytes) || end + nextBytes > bytes.length) return { end, nextBytes }
    end += nextBytes
  }
  return { end, nextBytes: headerBytes }
}

const isPossible = (bytes: number): boolean => bytes >= headerBytes && bytes <= messageBytesMax

/** Coded as a violation of the protocol is, so that it counts as a lost connection. */
const notPostgres = (): Error =>
  Object.assign(new Error('what answers at its address is not PostgreSQL'), { code: '08P01' })

/** Room for a message of so many bytes, of which some are there. */
function roomFor(bytes: number, there: number, buffer: Buffer): Buffer {
  const wanted = Math.min(bytes, Math.max(believedBytesMax, 2 * there))
  if (wanted > buffer.length) return Buffer.allocUnsafeSlow(2 ** Math.ceil(Math.log2(wanted)))
  if (buffer.length > bufferKeptBytesMax && bytes <= bufferBytes) return Buffer.allocUnsafeSlow(bufferBytes)
  return buffer
}
