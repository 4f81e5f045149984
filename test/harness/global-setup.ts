import type { TestProject } from 'vitest/node'
import { startTestServer, type TestServerAddress } from './server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    testServer: TestServerAddress
  }
}

/** Starts one database server for the whole run, which fails if a test leaves a database behind. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startTestServer()
  project.provide('testServer', server.address)
  return async () => {
    const leftovers = await server.leftovers()
    await server.dispose()
    if (leftovers.length > 0) {
      throw new Error(`Tests left databases behind (${leftovers.join(', ')}): call drop() in afterAll.`)
    }
  }
}
