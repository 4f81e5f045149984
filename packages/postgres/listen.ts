import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { openPool } from './pool.ts'

const reconnectAfterMs = 1_000

export type ListenOptions = {
  onPayload(payload: string): void
  /** Is called after each connection, because payloads may have been missed before. */
  onConnected(): void
}

/** Listens on a separate connection, which is opened again whenever it is lost. */
export function listen(
  connection: pg.PoolConfig,
  channel: string,
  { onPayload, onConnected }: ListenOptions,
): { close(): Promise<void> } {
  const pool = openPool(connection, 'public', { connectionsMax: 1 })
  const closing = new AbortController()
  const { signal } = closing

  async function listenOnce(): Promise<void> {
    const client = await pool.connect()
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    const end = () => resolve()
    client.once('error', end)
    client.once('end', end)
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()
    client.on('notification', ({ payload }) => onPayload(payload ?? ''))
    try {
      await client.query(`listen ${channel}`)
      onConnected()
      await ended
    } finally {
      signal.removeEventListener('abort', end)
      client.release(true)
    }
  }

  async function listenOn(): Promise<void> {
    while (!signal.aborted) {
      // A failure only delays, because the waiting requests poll, too.
      await listenOnce().catch(() => {})
      // Jitter, because all processes lose their connections at once.
      await pause(reconnectAfterMs * (0.5 + Math.random()), undefined, { signal }).catch(() => {})
    }
  }

  const listening = listenOn()
  return {
    async close() {
      closing.abort()
      await listening
      await pool.end()
    },
  }
}
