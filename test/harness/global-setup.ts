import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { TestProject } from 'vitest/node'
import type { TestServer } from './server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    testServerPort: number
  }
}

/**
 * Starts one database server for the whole run when the first test needs it, because most runs of one file
 * need none. The run fails if a test leaves a database behind.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let starting: Promise<TestServer> | null = null
  const start = async () => (await import('./server.ts')).startTestServer()
  const answers = createServer(socket => {
    starting ??= start()
    starting.then(
      ({ address }) => socket.end(JSON.stringify({ address })),
      error => socket.end(JSON.stringify({ problem: String(error?.stack ?? error) })),
    )
  })
  answers.listen(0, '127.0.0.1')
  await once(answers, 'listening')
  project.provide('testServerPort', (answers.address() as AddressInfo).port)
  return async () => {
    answers.close()
    // A failed start has already failed the tests.
    const server = await starting?.catch(() => null)
    if (!server) return
    const leftovers = await server.leftovers()
    await server.dispose()
    if (leftovers.length > 0) {
      throw new Error(`Tests left databases behind (${leftovers.join(', ')}): call drop() in afterAll.`)
    }
  }
}
