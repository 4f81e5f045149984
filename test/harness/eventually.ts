import { setTimeout as pause } from 'node:timers/promises'

const deadlineMsDefault = 30_000
const pollMs = 5

/**
 * Calls `look` until it returns something truthy, and returns that. At the deadline it fails with `what`.
 */
export async function eventually<Value>(
  what: string,
  look: () => Value | Promise<Value>,
  deadlineMs = deadlineMsDefault,
): Promise<Value> {
  const deadline = Date.now() + deadlineMs
  for (;;) {
    const value = await look()
    if (value) return value
    if (Date.now() > deadline) throw new Error(`It did not happen within ${deadlineMs} ms: ${what}`)
    await pause(pollMs)
  }
}
