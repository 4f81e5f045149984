import { once } from 'node:events'
import { createServer } from 'node:net'
import { CannotListen } from './operator-message.ts'

/** Fails before a database is created when HOST or PORT cannot be used. The service listens later. */
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
