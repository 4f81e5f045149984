import { connect } from 'node:net'
import { json } from 'node:stream/consumers'
import { inject } from 'vitest'
import { once } from '../../src/core/once.ts'
import type { TestServerAddress } from './server.ts'

type Answer = { address: TestServerAddress } | { problem: string }

/** Returns the database server of this run, which global-setup.ts starts at the first request. */
export const testServer = once(async (): Promise<TestServerAddress> => {
  const answer = (await json(connect(inject('testServerPort'), '127.0.0.1'))) as Answer
  if ('problem' in answer) throw new Error(`The test server did not start: ${answer.problem}`)
  return answer.address
})
