import { once } from 'node:events'
import { createServer } from 'node:net'
import { CannotListen } from './operator-message.ts'

/**
 * Listens, and leaves off: a HOST or PORT that cannot be had is told before a database is made, not when it is there. Whoever takes
 * the port meanwhile is met when the service listens for good.
 */
export async function requirePort(host: string, port: number): Promise<void> {
  const server = createServer().listen({ host, port })
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new CannotListen('PORT', error)
  }
  server.close()
  await once(server, 'close')
}
